// `tegula compile`.
#include "runtime/device/assembler/Assembler.h"
#include "runtime/host/Environment.h"
#include "runtime/host/Files.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "runtime/jit/program/CompileError.h"
#include "tools/tegula/CommandTables.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/arguments/CompileSpec.h"
#include "tools/tegula/arguments/Input.h"
#include "tools/tegula/arguments/KernelChoice.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Report.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Toolkit.h"

#include <fmt/format.h>

#include <unistd.h>

namespace tegula::cli {

using runtime::Error;
using runtime::Result;

namespace {
/// A compilation.
struct Compiled {
  CompileResult result;
  std::optional<KernelSpec> spec;           ///< what it was for; nothing where it went on from a stage's text
  std::string target;                       ///< of its code, where there is any
  std::optional<runtime::MachineCode> code; ///< where it was asked for
};
} // namespace

static CompileOptions optionsFor(const CompileCommand &command, Stage last) {
  CompileOptions options;
  options.emit = {last};
  options.remarks = !command.report.empty();
  options.dumpDir = runtime::environment("TEGULA_DUMP_DIR");
  return options;
}

static Result<Compiled> compileKernels(const CompileCommand &command, const Input &input, Stage last) {
  std::shared_ptr<jit::JitProgram> program = TRY(parseKernels(command, input));
  const ParsedSource &source = program->source().parsedSource();
  // The tree is that of the file, whatever its kernels need.
  if (last == Stage::Ast)
    return Compiled{jit::sharedCompiler().compile(source, KernelSpec(), optionsFor(command, last)), {}, {}};
  KernelChoice choice = TRY(chooseKernel(command, program, command.arch));
  KernelSpec spec = TRY(specOf(command, choice, command.arch.empty() ? jit::defaultTarget() : command.arch));
  CompileResult result = jit::sharedCompiler().compile(source, spec, optionsFor(command, last));
  return Compiled{std::move(result), spec, spec.target};
}

/// Goes on from the text of a stage, or of PTX, which is the last.
static Result<Compiled> compileText(const CompileCommand &command, const Input &input, Stage last) {
  TRY(checkOptions(command, input));
  for (const auto &[option, isGiven] :
       {std::pair("--sig", !command.signature.empty()), std::pair("--arch", !command.arch.empty())})
    if (isGiven)
      return usageError(fmt::format("`{}` is for a file of kernels: `{}` is the text of stage `{}`", option,
                                    input.path, stageName(*input.stage)));
  if (last < *input.stage)
    return usageError(
        fmt::format("cannot go back from stage `{}` to `{}`", stageName(*input.stage), stageName(last)));
  if (input.stage == Stage::Ptx) {
    KernelImage image = TRY(imageOf(input));
    Compiled compiled;
    compiled.target = image.target;
    compiled.result.stageText.emplace(Stage::Ptx, image.ptx);
    return compiled;
  }
  CompileResult result =
      jit::sharedCompiler().resume(input.path, input.text, *input.stage, optionsFor(command, last));
  const std::string target = result.image ? result.image->target : "";
  return Compiled{std::move(result), std::nullopt, target};
}

/// Prints or writes the remarks.
static Result<void> report(const CompileCommand &command, const Compiled &compiled) {
  if (command.report.empty())
    return {};
  const runtime::MachineCode *code = compiled.code ? &*compiled.code : nullptr;
  const std::string text =
      asksForJson(command.report)
          ? compileReport(compiled.spec ? &*compiled.spec : nullptr, compiled.result, code).text()
          : formatRemarks(compiled.result.remarks) + (code ? formatAssembly(*code) : "");
  return deliverReport(command.report, text, say);
}

/// Returns true for values of `--emit` that an assembler makes of PTX.
static bool isMachineCode(const std::string &emit) { return emit == "cubin" || emit == "sass"; }

/// Returns the output: the text of the stage `last`; or the machine code of that, which is PTX, or its text.
static Result<std::string> outputOf(const CompileCommand &command, Stage last, Compiled &compiled) {
  std::string &text = compiled.result.stageText[last];
  if (!isMachineCode(command.emit))
    return std::move(text);
  compiled.code = TRY(runtime::assemble(text, {.arch = compiled.target}));
  return command.emit == "sass" ? disassemble(compiled.code->bytes) : compiled.code->bytes;
}

/// Compiles to `stage`, or to machine code where there is none, and hands it out.
static Result<int> compileTo(const CompileCommand &command, std::optional<Stage> stage) {
  if (command.emit == "cubin" && (command.output.empty() || command.output == "-") && isatty(STDOUT_FILENO))
    return usageError("machine code is not for a terminal: name a file with `-o`");
  TRY(checkReport(command.report));
  Input input = TRY(readInput(command));
  const Stage last = stage.value_or(Stage::Ptx);
  Compiled compiled =
      TRY(input.stage ? compileText(command, input, last) : compileKernels(command, input, last));
  if (jit::hasErrors(compiled.result.diagnostics))
    return jit::compileError(std::move(compiled.result.diagnostics));
  if (command.report != "json") // where the report has them
    say(render(compiled.result.diagnostics));
  std::string output = TRY(outputOf(command, last, compiled));
  TRY(report(command, compiled));
  TRY(writeTo(command.output, output));
  return int(Done);
}

int compileCommand(const CompileCommand &command) {
  const std::optional<Stage> stage = parseStage(command.emit);
  if (!stage && !isMachineCode(command.emit))
    return failUsage(
        fmt::format("expected ast, tile, distributed, scheduled, llvm, llvmir, ptx, cubin or sass after "
                    "`--emit`, found `{}`",
                    command.emit),
        "compile");
  return statusOf(compileTo(command, stage), command.report, say);
}

} // namespace tegula::cli
