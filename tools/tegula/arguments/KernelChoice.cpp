#include "tools/tegula/arguments/KernelChoice.h"

#include "compiler/driver/Compiler.h"
#include "dialect/tile/Limits.h"
#include "dialect/tile/LoopSharing.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Suggest.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Error;
using runtime::Result;

const ParameterInfo *findParameter(const KernelInfo &kernel, const std::string &name) {
  for (const ParameterInfo &parameter : kernel.parameters)
    if (parameter.name == name)
      return &parameter;
  return nullptr;
}

Error unknownParameter(const KernelInfo &kernel, const std::string &name, std::vector<std::string> known) {
  for (const ParameterInfo &parameter : kernel.parameters)
    known.push_back(parameter.name);
  return usageError(
      fmt::format("kernel `{}` has no parameter `{}`{}", kernel.name, name, didYouMean(name, known)));
}

Error missingParameters(const KernelInfo &kernel, const std::vector<std::string> &names,
                        const std::string &how) {
  std::string list;
  for (size_t i = 0; i < names.size(); ++i)
    list += fmt::format("{}`{}`", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  return usageError(fmt::format("kernel `{}` needs a value for {} ({})", kernel.name, list, how));
}

Result<BoundValue> constexprFor(const KernelInfo &kernel, const std::string &name, const std::string &text) {
  const ParameterInfo *parameter = findParameter(kernel, name);
  if (!parameter)
    return unknownParameter(kernel, name);
  Result<BoundValue> value = parseConstexpr(text);
  if (!value)
    return usageError(fmt::format("compile-time value `{}`: {}", name, value.error().text));
  // A text cannot be called.
  const auto *word = std::get_if<std::string>(&value->value);
  if (word && parameter->isCalled && *word == text)
    return BoundValue{bound::Function{.name = *word}};
  return value;
}

static Result<void> readConstexprs(const KernelOptions &options, KernelChoice &choice) {
  for (const std::string &text : options.constexprs) {
    const auto [name, valueText] = TRY(splitAssignment(text, "-D"));
    if (isOfModule(name))
      continue; // the program knows it
    BoundValue value = TRY(constexprFor(*choice.kernel, name, valueText));
    if (!choice.options.constexprs.emplace(name, std::move(value)).second)
      return usageError(fmt::format("`{}` is given twice", name));
  }
  return {};
}

static Result<void> readCounts(const KernelOptions &command, jit::JitKernel::Options &options) {
  if (!command.numWarps.empty()) {
    const uint32_t warps = TRY(parseCount(command.numWarps, "--num-warps"));
    if (std::string wrong = tile::wrongWarps(warps); !wrong.empty())
      return usageError(wrong);
    options.numWarps = warps;
  }
  if (!command.numStages.empty()) {
    const uint32_t stages = TRY(parseCount(command.numStages, "--num-stages"));
    options.numStages = tile::stagesOf(stages);
  }
  if (!command.numCtas.empty()) {
    const uint32_t blocks = TRY(parseCount(command.numCtas, "--num-ctas"));
    if (blocks != 1 && !tile::mayShare(blocks))
      return usageError(fmt::format("expected 1, 2, 4 or 8 as `--num-ctas`, found {}", blocks));
    options.launch.clusterBlocks = options.numCtas = blocks;
  }
  options.splitK = command.splitK;
  return {};
}

static Result<void> readFeatures(const KernelOptions &command, jit::JitKernel::Options &options) {
  if (command.without.empty()) {
    options.without = TRY(jit::withoutByDefault());
    return {};
  }
  auto parsed = parseFeatures(command.without);
  if (const auto *problem = std::get_if<std::string>(&parsed))
    return usageError(fmt::format("--without: {}", *problem));
  options.without = std::get<std::set<Feature>>(std::move(parsed));
  return {};
}

static Result<void> readLibraries(const KernelOptions &command, jit::JitKernel::Options &options) {
  for (const std::string &text : command.externLibs) {
    auto [name, path] = TRY(splitAssignment(text, "--extern-lib"));
    if (name.empty() || path.empty())
      return usageError(fmt::format("expected NAME=FILE after `--extern-lib`, found `{}`", text));
    options.externLibs.push_back({std::move(name), std::move(path), ""});
  }
  identifyLibraries(options.externLibs);
  return {};
}

static Result<void> readVersion(const KernelOptions &command, jit::JitKernel::Options &options) {
  if (!command.tritonVersion.empty() && !lookupLanguageVersion(command.tritonVersion))
    return usageError(fmt::format("--triton-version: {}", unknownLanguageVersion(command.tritonVersion)));
  options.tritonVersion = TRY(jit::knownVersion(command.tritonVersion));
  return {};
}

Error missingValues(const KernelChoice &choice, const std::vector<std::string> &names) {
  std::string how = "-D NAME=VALUE";
  if (choice.kernel->tuning.hasConfigs) {
    const Result<std::vector<KernelConfig>> configs = choice.configs();
    // The reason why they cannot be read is reported when one is asked for.
    how += !configs ? ", or --config=N for one of its configs"
           : configs->size() == 1
               ? ", or --config=0 for its only config"
               : fmt::format(", or --config=0..{} for one of its configs", configs->size() - 1);
  }
  return missingParameters(*choice.kernel, names, how);
}

/// Says what a config asks for that makes no difference here.
static void warnOfIgnored(const KernelChoice &choice, uint32_t index) {
  const Result<std::vector<KernelConfig>> configs = choice.configs();
  if (configs && (*configs)[index].hasPreHook)
    say(fmt::format("warning: config {} of kernel `{}` gives a `pre_hook`, which has no effect\n", index,
                    choice.kernel->name));
}

/// Lists the file's kernels other than `name`: all of them where they are few, and the nearest.
static std::string otherKernels(const jit::JitProgram &program, const std::string &name) {
  constexpr size_t shown = 8;
  const std::vector<KernelInfo> &kernels = program.source().kernels();
  std::vector<std::string> known;
  std::string list;
  for (const KernelInfo &info : kernels) {
    known.push_back(info.name);
    if (known.size() <= shown)
      list += fmt::format("{}`{}`", list.empty() ? ", but " : ", ", info.name);
  }
  if (known.size() > shown)
    list += fmt::format(" and {} more (`tegula list` has all)", known.size() - shown);
  return list + didYouMean(name, known);
}

Result<KernelChoice> chooseKernel(const KernelOptions &options, std::shared_ptr<jit::JitProgram> program,
                                  const std::string &target) {
  KernelChoice choice;
  TRY(readFeatures(options, choice.options));
  TRY(readVersion(options, choice.options));
  TRY(readLibraries(options, choice.options));
  TRY(readCounts(options, choice.options));
  choice.program = std::move(program);
  Result<const KernelInfo *> kernel =
      choice.program->source().find(options.kernel, target, choice.options.tritonVersion);
  if (!kernel) {
    Error error = kernel.error();
    if (error.kind == runtime::ErrorKind::InvalidArgument && !options.kernel.empty())
      error.text += otherKernels(*choice.program, options.kernel);
    return error;
  }
  choice.kernel = *kernel;
  TRY(readConstexprs(options, choice));
  if (!options.config.empty() && options.config != tunedConfig) {
    uint32_t index = TRY(parseCount(options.config, "--config"));
    choice.options =
        TRY(jit::JitKernel::withConfig(*choice.program, *choice.kernel, std::move(choice.options), index));
    warnOfIgnored(choice, index);
  }
  // The launcher knows what warps and stages may be.
  TRY(jit::JitKernel::create(choice.program, *choice.kernel, choice.options));
  return choice;
}

} // namespace tegula::cli
