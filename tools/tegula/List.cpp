// `tegula list`: what can be compiled from a file, and what it takes.
#include "compiler/spec/ValueText.h"
#include "runtime/jit/program/CompileError.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/arguments/Input.h"
#include "tools/tegula/output/ConfigText.h"
#include "tools/tegula/output/Json.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Report.h"
#include "tools/tegula/output/Status.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

using runtime::Result;

namespace {

/// All kernels; one whose definition conditions decide, as it is for the default target.
std::vector<KernelInfo> kernelsOf(const jit::JitProgram &program) {
  std::vector<KernelInfo> kernels = program.source().kernels();
  for (KernelInfo &kernel : kernels)
    if (Result<const KernelInfo *> found = program.source().find(kernel.name))
      kernel = KernelInfo(**found);
  return kernels;
}

Result<std::vector<KernelConfig>> configsOf(const jit::JitProgram &program, const KernelInfo &kernel) {
  if (!kernel.tuning.hasConfigs)
    return std::vector<KernelConfig>();
  return program.source().configs(kernel.name, KernelSpec().target);
}

Json valueJson(const BoundValue &value) {
  if (const bool *truth = std::get_if<bool>(&value.value))
    return *truth;
  if (const auto *integer = std::get_if<int64_t>(&value.value))
    return *integer;
  if (const auto *integer = std::get_if<uint64_t>(&value.value))
    return *integer;
  if (const auto *number = std::get_if<double>(&value.value))
    return *number;
  if (const auto *text = std::get_if<std::string>(&value.value))
    return *text;
  if (const auto *type = std::get_if<bound::Dtype>(&value.value))
    return scalarKindName(type->scalar);
  if (const std::vector<BoundValue> *items = itemsOf(value))
    return jsonArray(*items, valueJson);
  if (std::holds_alternative<std::monostate>(value.value))
    return Json();
  return tegula::valueText(value); // functions
}

//===----------------------------------------------------------------------===//
// As text
//===----------------------------------------------------------------------===//

/// "    BLOCK   tl.constexpr   = 64   computed by `triton.heuristics`"
std::string parameterLine(const KernelInfo &kernel, const ParameterInfo &parameter, size_t nameWidth,
                          size_t annotationWidth) {
  std::vector<std::string> notes;
  if (!parameter.defaultValue.empty())
    notes.push_back("= " + parameter.defaultValue);
  if (llvm::is_contained(kernel.tuning.heuristics, parameter.name))
    notes.push_back("computed by `triton.heuristics`");
  if (parameter.doNotSpecialize)
    notes.push_back("not specialised");
  else if (parameter.doNotSpecializeOnAlignment)
    notes.push_back("not specialised on alignment");
  std::string line = fmt::format("    {:<{}}  {:<{}}  {}", parameter.name, nameWidth, parameter.annotation,
                                 annotationWidth, fmt::join(notes, ", "));
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string kernelText(const jit::JitProgram &program, const KernelInfo &kernel) {
  std::string text = fmt::format("{}  line {}{}\n", kernel.name, kernel.line,
                                 kernel.calledInFile ? ", called by another kernel" : "");
  size_t nameWidth = 0, annotationWidth = 0;
  for (const ParameterInfo &parameter : kernel.parameters) {
    nameWidth = std::max(nameWidth, parameter.name.size());
    annotationWidth = std::max(annotationWidth, parameter.annotation.size());
  }
  for (const ParameterInfo &parameter : kernel.parameters)
    text += parameterLine(kernel, parameter, nameWidth, annotationWidth);
  const Result<std::vector<KernelConfig>> configs = configsOf(program, kernel);
  if (!configs)
    return text + "  configs that cannot be read; `tegula compile --config=0` says why\n";
  if (!configs->empty())
    text += kernel.tuning.key.empty() ? std::string("  configs\n")
                                      : fmt::format("  configs, the best of which depends on {}\n",
                                                    fmt::join(kernel.tuning.key, ", "));
  for (size_t i = 0; i < configs->size(); ++i)
    text += fmt::format("    --config={}  {}\n", i, configText((*configs)[i]));
  return text;
}

//===----------------------------------------------------------------------===//
// As JSON
//===----------------------------------------------------------------------===//

Json parameterJson(const KernelInfo &kernel, const ParameterInfo &parameter) {
  auto orNull = [](const std::string &text) { return text.empty() ? Json() : Json(text); };
  return Json::Object{
      {"name", parameter.name},
      {"constexpr", parameter.isConstexpr},
      {"annotation", orNull(parameter.annotation)},
      {"type", parameter.type ? Json(formatArgType(*parameter.type)) : Json()},
      {"default", orNull(parameter.defaultValue)},
      {"heuristic", llvm::is_contained(kernel.tuning.heuristics, parameter.name)},
      {"specialize", !parameter.doNotSpecialize},
      {"specializeAlignment", !parameter.doNotSpecialize && !parameter.doNotSpecializeOnAlignment}};
}

Json configJson(const KernelConfig &config) {
  Json::Object values;
  for (const auto &[name, value] : config.values)
    values.emplace_back(name, valueJson(value));
  return Json::Object{{"values", std::move(values)},
                      {"numWarps", config.numWarps},
                      {"numStages", config.numStages},
                      {"numCtas", config.numCtas},
                      {"maxRegisters", config.maxRegisters ? Json(*config.maxRegisters) : Json()},
                      {"preHook", config.hasPreHook}};
}

Json kernelJson(const jit::JitProgram &program, const KernelInfo &kernel) {
  const Result<std::vector<KernelConfig>> configs = configsOf(program, kernel);
  const auto parameters = jsonArray(
      kernel.parameters, [&](const ParameterInfo &parameter) { return parameterJson(kernel, parameter); });
  Json::Object members{{"name", kernel.name},
                       {"line", kernel.line},
                       {"calledInFile", kernel.calledInFile},
                       {"parameters", parameters},
                       {"configs", configs ? Json(jsonArray(*configs, configJson)) : Json()},
                       {"key", kernel.tuning.key}};
  if (!configs)
    members.emplace_back("configsProblem", configs.error().text);
  return members;
}

Result<int> work(const ListCommand &command) {
  KernelOptions file;
  file.file = command.file;
  const Input input = TRY(readInput(file));
  if (input.stage)
    return usageError(fmt::format("`list` is for a file of kernels: `{}` is the text of stage `{}`",
                                  input.path, stageName(*input.stage)));
  const std::shared_ptr<jit::JitProgram> program = TRY(parseKernels(command, input));
  CompileOptions parseOnly;
  parseOnly.emit = {Stage::Ast};
  const std::vector<Diagnostic> found =
      jit::sharedCompiler().compile(program->source().parsedSource(), KernelSpec(), parseOnly).diagnostics;
  if (jit::hasErrors(found))
    return jit::compileError(found);
  say(render(found));
  const std::vector<KernelInfo> kernels = kernelsOf(*program);
  if (kernels.empty())
    return program->source().find("").error();
  if (command.json) {
    const auto list =
        jsonArray(kernels, [&](const KernelInfo &kernel) { return kernelJson(*program, kernel); });
    writeOut(Json(Json::Object{{"file", command.file}, {"kernels", list}}).text());
    return int(Done);
  }
  for (const KernelInfo &kernel : kernels)
    writeOut((&kernel == &kernels.front() ? "" : "\n") + kernelText(*program, kernel));
  return int(Done);
}

} // namespace

int listCommand(const ListCommand &command) {
  return statusOf(work(command), command.json ? "json" : "", writeOut);
}

} // namespace tegula::cli
