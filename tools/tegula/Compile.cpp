// `tegula compile`.
#include "compiler/target/Target.h"
#include "runtime/jit/Files.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/KernelChoice.h"
#include "tools/tegula/Report.h"
#include "tools/tegula/Status.h"
#include "tools/tegula/Values.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace tegula::cli {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

static std::string archOf(const CompileCommand &command) {
  if (!command.arch.empty())
    return command.arch;
  const char *arch = std::getenv("TEGULA_ARCH");
  return arch && *arch ? arch : KernelSpec().target;
}

/// Adds the values of heuristics that nothing gives, as far as they follow from compile-time values.
static Result<void> computeHeuristics(const KernelChoice &choice, KernelSpec &spec) {
  std::set<std::string> wanted;
  for (const std::string &name : choice.kernel->tuning.heuristics)
    if (name == "num_warps"    ? !choice.options.warpsGiven
        : name == "num_stages" ? !choice.options.stagesGiven
                               : !spec.args.contains(name))
      wanted.insert(name);
  if (wanted.empty())
    return {};
  Result<std::map<std::string, ConstexprValue>> values = choice.program->source().heuristics(spec, wanted);
  if (!values)
    return values.error();
  for (const auto &[name, value] : *values) {
    const auto *count = std::get_if<int64_t>(&value.value);
    if (name != "num_warps" && name != "num_stages")
      spec.args.insert_or_assign(name, value);
    else if (!count || *count < 1 || *count > 32)
      return usageError(fmt::format("expected a count from 1 to 32 as the heuristic value of `{}`", name));
    else
      (name == "num_warps" ? spec.numWarps : spec.numStages) = uint32_t(*count);
  }
  return {};
}

/// The spec that --sig and -D describe; every parameter has to be covered.
static Result<KernelSpec> specOf(const CompileCommand &command, const KernelChoice &choice) {
  KernelSpec spec;
  spec.kernel = choice.kernel->name;
  spec.numWarps = choice.options.numWarps;
  spec.numStages = choice.options.numStages;
  spec.target = archOf(command);
  if (!lookupTarget(spec.target)) {
    const Target *nearest = nearestTarget(spec.target);
    return usageError(fmt::format("unknown architecture `{}`{}", spec.target,
                                  nearest ? fmt::format("; did you mean `{}`?", nearest->name) : ""));
  }
  for (const auto &[name, value] : choice.options.constexprs)
    spec.args.emplace(name, value);
  for (const std::string &text : command.signature) {
    Result<std::pair<std::string, std::string>> assignment = splitAssignment(text, "--sig");
    if (!assignment)
      return assignment.error();
    auto &[name, typeText] = *assignment;
    const ParameterInfo *parameter = findParameter(*choice.kernel, name);
    if (!parameter)
      return unknownParameter(*choice.kernel, name);
    if (parameter->isConstexpr)
      return usageError(
          fmt::format("parameter `{}` is a `tl.constexpr`: give its value with `-D {}=VALUE`", name, name));
    std::variant<ArgSpec, std::string> type = parseArgType(typeText);
    if (const std::string *problem = std::get_if<std::string>(&type))
      return usageError(fmt::format("signature of `{}`: {}", name, *problem));
    if (!spec.args.emplace(name, std::get<ArgSpec>(std::move(type))).second)
      return usageError(fmt::format("`{}` is given twice", name));
  }
  if (Result<void> computed = computeHeuristics(choice, spec); !computed)
    return computed.error();
  std::vector<std::string> values, types;
  for (const ParameterInfo &parameter : choice.kernel->parameters) {
    if (spec.args.contains(parameter.name) || parameter.hasDefault)
      continue;
    if (parameter.type && !parameter.isConstexpr)
      spec.args.emplace(parameter.name, *parameter.type);
    else
      (parameter.isConstexpr ? values : types).push_back(parameter.name);
  }
  if (!types.empty())
    return missingParameters(*choice.kernel, types, "--sig NAME=TYPE");
  if (!values.empty())
    return missingValues(choice, values);
  return spec;
}

static Result<void> writeOutput(const std::string &path, const std::string &text) {
  if (!path.empty())
    return jit::writeFile(path, text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    return Error{ErrorKind::Io, "cannot write to standard output"};
  return {};
}

/// `--emit=ast`: of the whole file, whatever its kernels need.
static int printTree(const CompileCommand &command) {
  Result<std::shared_ptr<jit::JitProgram>> program = jit::JitProgram::load(command.file);
  if (!program)
    return fail(program.error());
  CompileOptions options;
  options.emit = {Stage::Ast};
  CompileResult result =
      jit::sharedCompiler().compile((*program)->source().parsedSource(), KernelSpec(), options);
  fmt::print(stderr, "{}", render(result.diagnostics));
  for (const Diagnostic &diagnostic : result.diagnostics)
    if (diagnostic.severity == Severity::Error)
      return InputWrong;
  if (Result<void> written = writeOutput(command.output, result.stageText[Stage::Ast]); !written)
    return fail(written.error());
  return Done;
}

int compileCommand(const CompileCommand &command) {
  const std::optional<Stage> stage = parseStage(command.emit);
  if (!stage)
    return failUsage(
        fmt::format("expected ast, tile, distributed, scheduled, llvm, llvmir or ptx after `--emit`, "
                    "found `{}`",
                    command.emit),
        compileUsage);
  if (*stage == Stage::Ast)
    return printTree(command);
  Result<KernelChoice> choice = chooseKernel(command);
  if (!choice)
    return fail(choice.error());
  Result<KernelSpec> spec = specOf(command, *choice);
  if (!spec)
    return fail(spec.error());
  CompileOptions options;
  options.emit = {*stage};
  options.remarks = command.report;
  if (const char *dumpDir = std::getenv("TEGULA_DUMP_DIR"))
    options.dumpDir = dumpDir;
  CompileResult result =
      jit::sharedCompiler().compile(choice->program->source().parsedSource(), *spec, options);
  fmt::print(stderr, "{}", render(result.diagnostics));
  for (const Diagnostic &diagnostic : result.diagnostics)
    if (diagnostic.severity == Severity::Error)
      return InputWrong;
  if (command.report)
    fmt::print(stderr, "{}", formatRemarks(result.remarks));
  if (Result<void> written = writeOutput(command.output, result.stageText[*stage]); !written)
    return fail(written.error());
  return Done;
}

} // namespace tegula::cli
