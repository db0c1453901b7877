#include "runtime/jit/Jit.h"
#include "runtime/jit/InterpreterDevice.h"
#include "runtime/jit/OpenDevice.h"

#include "dialect/tile/Limits.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

/// More run-time parameters than any kernel has: 4 KiB is the limit of the parameter block.
static constexpr size_t maxArguments = 512;

struct JitKernel::Key {
  std::array<uint64_t, 2 * maxArguments + 1> words; ///< uninitialised past `count`
  size_t count = 0;

  std::span<const uint64_t> used() const { return {words.data(), count}; }
  uint64_t hash() const {
    uint64_t state = 0x9e3779b97f4a7c15ull;
    for (uint64_t word : used())
      state = std::rotl((state ^ word) * 0xff51afd7ed558ccdull, 29);
    return state;
  }
};

std::shared_ptr<JitProgram> JitProgram::parse(const std::string &path, const std::string &text) {
  return std::shared_ptr<JitProgram>(new JitProgram(CompiledSource::parse(path, text)));
}

Result<std::shared_ptr<JitProgram>> JitProgram::load(const std::string &path) {
  Result<std::shared_ptr<CompiledSource>> source = CompiledSource::load(path);
  if (!source)
    return source.error();
  return std::shared_ptr<JitProgram>(new JitProgram(std::move(*source)));
}

/// What a device runs of a kernel: the source itself, or what is compiled from it.
static Result<std::shared_ptr<runtime::LoadedKernel>>
loadVariant(JitProgram &program, const std::shared_ptr<runtime::Device> &device, const KernelSpec &spec) {
  if (auto *interpreter = dynamic_cast<InterpreterDevice *>(device.get()))
    return interpreter->loadSource(program.source().parsedSource(), spec);
  Result<std::shared_ptr<const KernelImage>> image = program.source().compile(spec);
  if (!image)
    return image.error();
  return program.load(device, *image);
}

Result<std::shared_ptr<runtime::LoadedKernel>>
JitProgram::load(const std::shared_ptr<runtime::Device> &device,
                 const std::shared_ptr<const KernelImage> &image) {
  std::lock_guard lock(mutex);
  OnDevice &place = loaded[{device.get(), image.get()}];
  if (place.kernel)
    return place.kernel;
  Result<std::unique_ptr<runtime::LoadedKernel>> made = device->load(*image);
  if (!made)
    return made.error();
  place.device = device;
  place.kernel = std::move(*made);
  return place.kernel;
}

JitKernel::JitKernel(std::shared_ptr<JitProgram> program, const KernelInfo &info, Options options)
    : owner(std::move(program)), kernelInfo(info), fixed(std::move(options)) {
  for (const std::string &name : kernelInfo.tuning.heuristics) {
    const bool given = name == "num_warps"    ? fixed.warpsGiven
                       : name == "num_stages" ? fixed.stagesGiven
                                              : fixed.constexprs.contains(name);
    if (!given)
      computed.insert(name);
  }
  for (const ParameterInfo &parameter : kernelInfo.parameters)
    if (!fixed.constexprs.contains(parameter.name) && !computed.contains(parameter.name))
      open.push_back(parameter);
}

Result<std::shared_ptr<JitKernel>> JitKernel::create(std::shared_ptr<JitProgram> program,
                                                     const KernelInfo &info, Options options) {
  for (const auto &[name, value] : options.constexprs) {
    bool known = false;
    for (const ParameterInfo &parameter : info.parameters)
      known |= parameter.name == name;
    if (!known)
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("kernel `{}` has no parameter `{}`", info.name, name)};
  }
  if (!std::has_single_bit(options.numWarps) || options.numWarps > tile::MaxWarps)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("expected 1, 2, 4, 8, 16 or 32 warps, found {}", options.numWarps)};
  if (options.numStages > tile::MaxStages)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("expected at most {} stages, found {}", tile::MaxStages, options.numStages)};
  options.numStages = tile::stagesOf(options.numStages);
  std::shared_ptr<JitKernel> kernel(new JitKernel(std::move(program), info, std::move(options)));
  if (kernel->open.size() > maxArguments)
    return Error{ErrorKind::InvalidArgument, fmt::format("expected at most {} arguments for `{}`, found {}",
                                                         maxArguments, info.name, kernel->open.size())};
  return kernel;
}

Result<void> JitKernel::makeKey(const runtime::Device &device, std::span<const HostValue> args,
                                Key &key) const {
  if (args.size() > open.size())
    return Error{ErrorKind::InvalidArgument, fmt::format("expected at most {} arguments for `{}`, found {}",
                                                         open.size(), kernelInfo.name, args.size())};
  for (size_t i = 0; i < open.size(); ++i)
    if ((i >= args.size() || args[i].kind == HostValue::Default) && !open[i].hasDefault)
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("kernel `{}` has no value for parameter `{}`", kernelInfo.name, open[i].name)};
  key.words[key.count++] = uint64_t(reinterpret_cast<uintptr_t>(&device));
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].kind == HostValue::Default) {
      key.words[key.count++] = ~uint64_t(0);
      continue;
    }
    if (open[i].isConstexpr) { // the value itself is part of the code
      key.words[key.count++] = uint64_t(args[i].kind) << 40;
      key.words[key.count++] = args[i].bits;
      continue;
    }
    const Specialized specialized = specialize(open[i], args[i]);
    if (specialized.form == Specialized::Mismatch)
      return mismatch(open[i], args[i]);
    key.words[key.count++] = specialized.key();
  }
  return {};
}

JitKernel::Variant *JitKernel::lookUp(const Key &key) const {
  auto [begin, end] = variants.equal_range(key.hash());
  for (auto it = begin; it != end; ++it) {
    const std::vector<uint64_t> &found = it->second->key;
    if (found.size() == key.count && std::memcmp(found.data(), key.words.data(), key.count * 8) == 0)
      return it->second.get();
  }
  return nullptr;
}

Result<KernelSpec> JitKernel::spec(const runtime::Device &device, std::span<const HostValue> args) const {
  KernelSpec spec;
  spec.kernel = kernelInfo.name;
  spec.numWarps = fixed.numWarps;
  spec.numStages = fixed.numStages;
  spec.target = targetFor(device);
  for (const auto &[name, value] : fixed.constexprs)
    spec.args.emplace(name, value);
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].kind == HostValue::Default)
      continue;
    if (!open[i].isConstexpr) {
      spec.args.emplace(open[i].name, argSpec(specialize(open[i], args[i])));
      continue;
    }
    Result<ConstexprValue> value = constexprOf(open[i], args[i]);
    if (!value)
      return value.error();
    spec.args.emplace(open[i].name, std::move(*value));
  }
  return spec;
}

Result<JitKernel::Variant *> JitKernel::makeVariant(const std::shared_ptr<runtime::Device> &device,
                                                    std::span<const HostValue> args, const Key &key) {
  Result<KernelSpec> wanted = spec(*device, args);
  if (!wanted)
    return wanted.error();
  Result<std::shared_ptr<runtime::LoadedKernel>> loaded = loadVariant(*owner, device, *wanted);
  if (!loaded)
    return loaded.error();
  std::vector<std::string> names;
  for (size_t i = 0; i < args.size(); ++i)
    names.push_back(open[i].name);
  Result<std::vector<PackStep>> steps = planPacking((*loaded)->image(), names);
  if (!steps)
    return steps.error();
  auto variant = std::make_unique<Variant>();
  variant->key.assign(key.used().begin(), key.used().end());
  variant->kernel = std::move(*loaded);
  variant->steps = std::move(*steps);
  std::unique_lock lock(mutex);
  if (Variant *made = lookUp(key)) // by another thread, meanwhile
    return made;
  return variants.emplace(key.hash(), std::move(variant))->second.get();
}

Result<JitKernel::Variant *> JitKernel::variant(const std::shared_ptr<runtime::Device> &device,
                                                std::span<const HostValue> args) {
  Key key;
  if (Result<void> made = makeKey(*device, args, key); !made)
    return made.error();
  {
    std::shared_lock lock(mutex);
    if (Variant *found = lookUp(key))
      return found;
  }
  return makeVariant(device, args, key);
}

Result<const runtime::LoadedKernel *> JitKernel::prepare(const std::shared_ptr<runtime::Device> &device,
                                                         std::span<const HostValue> args) {
  if (!computed.empty()) {
    Result<JitKernel *> kernel = withHeuristics(device, args);
    return kernel ? (*kernel)->prepare(device, args) : Result<const runtime::LoadedKernel *>(kernel.error());
  }
  Result<Variant *> found = variant(device, args);
  if (!found)
    return found.error();
  return static_cast<const runtime::LoadedKernel *>((*found)->kernel.get());
}

Result<void> JitKernel::launch(const std::shared_ptr<runtime::Device> &device, runtime::Grid grid,
                               std::span<const HostValue> args, runtime::Stream *stream) {
  if (!computed.empty()) {
    Result<JitKernel *> kernel = withHeuristics(device, args);
    return kernel ? (*kernel)->launch(device, grid, args, stream) : Result<void>(kernel.error());
  }
  Result<Variant *> found = variant(device, args);
  if (!found)
    return found.error();
  Variant &variant = **found;
  alignas(16) std::byte block[maxParamBytes];
  const size_t bytes = variant.kernel->image().paramBytes;
  std::memset(block, 0, bytes); // the gaps between parameters are the same in every launch
  pack(variant.steps, args, {block, bytes});
  return device->launch(*variant.kernel, grid, {block, bytes}, stream);
}

} // namespace tegula::jit
