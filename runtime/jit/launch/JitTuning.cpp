// Kernels whose compile-time values come from their decorators: a config by its number, heuristics from the
// arguments of each launch.
#include "runtime/jit/files/SpecText.h"
#include "runtime/jit/launch/Jit.h"

#include "dialect/Counted.h"
#include "dialect/tile/Limits.h"
#include "dialect/tile/LoopSharing.h"

#include <fmt/format.h>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

/// A launch with numbers that never come again must not fill the memory with what they gave.
static constexpr size_t maxRemembered = 4096;

Error noConfigs(const KernelInfo &kernel) {
  return {ErrorKind::InvalidArgument,
          fmt::format("kernel `{}` has no configs, as no `triton.autotune` gives any", kernel.name)};
}

Result<JitKernel::Options> JitKernel::withConfig(JitProgram &program, const KernelInfo &info, Options options,
                                                 int64_t index) {
  std::vector<KernelConfig> configs =
      TRY(program.source().configs(info.name, KernelSpec().target, options.tritonVersion));
  if (configs.empty())
    return noConfigs(info);
  if (index < 0 || uint64_t(index) >= configs.size())
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("kernel `{}` has {}, from 0 to {}, found {}", info.name,
                             counted(configs.size(), "config"), configs.size() - 1, index)};
  const KernelConfig &config = configs[size_t(index)];
  for (const auto &[name, value] : config.values)
    options.constexprs.emplace(name, value);
  if (!options.maxRegisters)
    options.maxRegisters = config.maxRegisters.value_or(0);
  options.configWarps = config.numWarps;
  options.configStages = config.numStages;
  options.launch.clusterBlocks = tile::sharingAskedBy(config.numCtas);
  return options;
}

std::optional<int64_t> JitKernel::constant(const std::string &name) const {
  const auto found = fixed.constexprs.find(name);
  const auto *number = found == fixed.constexprs.end() ? nullptr : std::get_if<int64_t>(&found->second.value);
  return number ? std::optional(*number) : std::nullopt;
}

Result<uint32_t> heuristicCount(const std::string &name, const BoundValue &value) {
  const bool isStages = name == "num_stages";
  const int64_t least = isStages ? 0 : 1, most = isStages ? tile::MaxStages : tile::MaxWarps;
  const auto *number = std::get_if<int64_t>(&value.value);
  if (!number || *number < least || *number > most)
    return Error{
        ErrorKind::InvalidArgument,
        fmt::format("expected a count from {} to {} as the heuristic value of `{}`", least, most, name)};
  return isStages ? tile::stagesOf(uint32_t(*number)) : uint32_t(*number);
}

Result<JitKernel *> JitKernel::withHeuristics(const std::shared_ptr<runtime::Device> &device,
                                              std::span<const HostValue> args) {
  if (computed.empty())
    return this;
  std::vector<uint64_t> numbers;
  for (const HostValue &arg : args) {
    numbers.push_back(uint64_t(arg.kind));
    numbers.push_back(arg.kind == HostValue::Pointer ? 0 : arg.bits);
  }
  std::lock_guard lock(heuristicsMutex);
  if (auto found = derivedByArguments.find(numbers); found != derivedByArguments.end())
    return found->second.get();
  TRY(checkCount(args.size()));
  KernelSpec known = baseSpec(device.get());
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].kind == HostValue::Pointer || args[i].kind == HostValue::Default)
      continue;
    BoundValue value = TRY(constexprOf(open[i], args[i]));
    known.args.emplace(open[i].name, std::move(value));
  }
  std::shared_ptr<JitKernel> kernel = TRY(derive(known));
  if (derivedByArguments.size() >= maxRemembered)
    derivedByArguments.clear();
  derivedByArguments.emplace(std::move(numbers), kernel);
  return kernel.get();
}

Result<std::shared_ptr<JitKernel>> JitKernel::derive(const KernelSpec &known) {
  std::map<std::string, BoundValue> values = TRY(owner->source().heuristics(known, computed));
  Options options = fixed;
  KernelSpec names; // gives the values a text, by which equal ones are found
  for (const auto &[name, value] : values) {
    names.args.emplace(name, value);
    if (name != "num_warps" && name != "num_stages") {
      options.constexprs.insert_or_assign(name, value);
      continue;
    }
    uint32_t count = TRY(heuristicCount(name, value));
    (name == "num_warps" ? options.numWarps : options.numStages) = count;
  }
  const std::string text = specText(names);
  if (auto found = derived.find(text); found != derived.end())
    return found->second;
  std::shared_ptr<JitKernel> made = TRY(create(owner, kernelInfo, std::move(options)));
  return derived.emplace(text, std::move(made)).first->second;
}

} // namespace tegula::jit
