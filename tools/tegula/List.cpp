// `tegula list`: what can be compiled from a file, and what it takes.
#include "compiler/spec/ValueText.h"
#include "runtime/jit/program/CompileError.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/arguments/Input.h"
#include "tools/tegula/arguments/KernelChoice.h"
#include "tools/tegula/output/ConfigText.h"
#include "tools/tegula/output/Json.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Report.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tegula::cli {

using runtime::Result;

namespace {

/// The configs of a kernel, or why there are none to show.
struct Configs {
  std::vector<KernelConfig> list;
  std::string problem; ///< rendered diagnostics, where they cannot be read
};

/// All kernels; one whose definition conditions decide, as it is for the default target.
std::vector<KernelInfo> kernelsOf(const jit::JitProgram &program) {
  std::vector<KernelInfo> kernels = program.source().kernels();
  for (KernelInfo &kernel : kernels)
    if (Result<const KernelInfo *> found = program.source().find(kernel.name))
      kernel = KernelInfo(**found);
  return kernels;
}

Configs configsOf(const jit::JitProgram &program, const KernelInfo &kernel) {
  if (!kernel.tuning.hasConfigs)
    return {};
  Result<std::vector<KernelConfig>> configs = program.source().configs(kernel.name, KernelSpec().target);
  if (!configs)
    return {{}, configs.error().text};
  return {std::move(*configs), {}};
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
  if (const std::vector<BoundValue> *items = itemsOf(value)) {
    Json::Array elements;
    for (const BoundValue &element : *items)
      elements.push_back(valueJson(element));
    return elements;
  }
  if (std::holds_alternative<std::monostate>(value.value))
    return Json();
  return tegula::valueText(value); // functions
}

bool isComputed(const KernelInfo &kernel, const std::string &name) {
  const std::vector<std::string> &computed = kernel.tuning.heuristics;
  return std::find(computed.begin(), computed.end(), name) != computed.end();
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
  if (isComputed(kernel, parameter.name))
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

std::string configLine(const KernelConfig &config, size_t index) {
  return fmt::format("    --config={}  {}\n", index, configText(config));
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
  const Configs configs = configsOf(program, kernel);
  if (!configs.problem.empty())
    text += "  configs that cannot be read; `tegula compile --config=0` says why\n";
  else if (!configs.list.empty())
    text += kernel.tuning.key.empty() ? std::string("  configs\n")
                                      : fmt::format("  configs, the best of which depends on {}\n",
                                                    fmt::join(kernel.tuning.key, ", "));
  for (size_t i = 0; i < configs.list.size(); ++i)
    text += configLine(configs.list[i], i);
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
      {"heuristic", isComputed(kernel, parameter.name)},
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
  Json::Array parameters, configs, key;
  for (const ParameterInfo &parameter : kernel.parameters)
    parameters.push_back(parameterJson(kernel, parameter));
  const Configs read = configsOf(program, kernel);
  for (const KernelConfig &config : read.list)
    configs.push_back(configJson(config));
  for (const std::string &name : kernel.tuning.key)
    key.push_back(name);
  Json::Object members{{"name", kernel.name},
                       {"line", kernel.line},
                       {"calledInFile", kernel.calledInFile},
                       {"parameters", std::move(parameters)},
                       {"configs", read.problem.empty() ? Json(std::move(configs)) : Json()},
                       {"key", std::move(key)}};
  if (!read.problem.empty())
    members.emplace_back("configsProblem", read.problem);
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
    Json::Array list;
    for (const KernelInfo &kernel : kernels)
      list.push_back(kernelJson(*program, kernel));
    writeOut(Json(Json::Object{{"file", command.file}, {"kernels", std::move(list)}}).text());
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
