#include "tools/tegula/KernelChoice.h"

#include "tools/tegula/Status.h"
#include "tools/tegula/Suggest.h"
#include "tools/tegula/Values.h"

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

Error unknownParameter(const KernelInfo &kernel, const std::string &name) {
  std::vector<std::string> known;
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

static Result<void> readConstexprs(const KernelOptions &options, KernelChoice &choice) {
  for (const std::string &text : options.constexprs) {
    Result<std::pair<std::string, std::string>> assignment = splitAssignment(text, "-D");
    if (!assignment)
      return assignment.error();
    auto &[name, valueText] = *assignment;
    if (!findParameter(*choice.kernel, name))
      return unknownParameter(*choice.kernel, name);
    Result<ConstexprValue> value = parseConstexpr(valueText);
    if (!value)
      return usageError(fmt::format("compile-time value `{}`: {}", name, value.error().text));
    if (!choice.options.constexprs.emplace(name, std::move(*value)).second)
      return usageError(fmt::format("`{}` is given twice", name));
  }
  return {};
}

Result<KernelChoice> chooseKernel(const KernelOptions &options) {
  KernelChoice choice;
  Result<uint32_t> warps = parseCount(options.numWarps, "--num-warps");
  if (!warps)
    return warps.error();
  Result<uint32_t> stages = parseCount(options.numStages, "--num-stages");
  if (!stages)
    return stages.error();
  choice.options.numWarps = *warps;
  choice.options.numStages = *stages;

  Result<std::shared_ptr<jit::JitProgram>> program = jit::JitProgram::load(options.file);
  if (!program)
    return program.error();
  choice.program = std::move(*program);
  Result<const KernelInfo *> kernel = choice.program->source().find(options.kernel);
  if (!kernel) {
    Error error = kernel.error();
    if (error.kind == runtime::ErrorKind::InvalidArgument && !options.kernel.empty()) {
      std::vector<std::string> known;
      for (const KernelInfo &info : choice.program->source().kernels())
        known.push_back(info.name);
      error.text += didYouMean(options.kernel, known);
    }
    return error;
  }
  choice.kernel = *kernel;
  if (Result<void> read = readConstexprs(options, choice); !read)
    return read.error();
  // The launcher knows what warps and stages may be.
  Result<std::shared_ptr<jit::JitKernel>> valid =
      jit::JitKernel::create(choice.program, *choice.kernel, choice.options);
  if (!valid)
    return valid.error();
  return choice;
}

} // namespace tegula::cli
