// `tegula check`: errors of kernels without saying what they are compiled for.
#include "compiler/driver/ParsedSource.h"
#include "compiler/target/Target.h"
#include "runtime/host/Environment.h"
#include "runtime/host/Files.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "runtime/jit/program/CompiledSource.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/arguments/CompileSpec.h"
#include "tools/tegula/arguments/Input.h"
#include "tools/tegula/check/CheckReport.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Report.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace tegula::cli {

using runtime::Result;

Result<CheckOptions> checkOptionsOf(const std::string &arch, const std::string &record) {
  CheckOptions options;
  options.target = arch.empty() ? jit::defaultTarget() : arch;
  if (!lookupTarget(options.target))
    return unknownTarget(options.target);
  options.readCommand = readDocCommand;
  options.recorded =
      std::make_shared<RecordedLaunches>(record.empty() ? runtime::environment("TEGULA_RECORD") : record);
  if (std::string problem = options.recorded->problem(); !problem.empty() && !record.empty())
    return runtime::Error{runtime::ErrorKind::Io, std::move(problem)};
  return options;
}

/// The stage that `--to` names. Errors: InvalidArgument.
static Result<Stage> stageOf(const CheckCommand &command) {
  const std::optional<Stage> stage = parseStage(command.to);
  if (!stage || *stage == Stage::Ast)
    return usageError(fmt::format(
        "expected tile, distributed, scheduled, llvm, llvmir or ptx after `--to`, found `{}`", command.to));
  return *stage;
}

static constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

static FileCheck failed(const std::string &path, std::string text) {
  return {path, {{.severity = Severity::Error, .message = std::move(text)}}, {}};
}

namespace {

std::tuple<uint32_t, uint32_t> key(LineColumn place) { return {place.line, place.column}; }

/// Returns true if the two change text in common; two insertions at one place do if they differ: which comes
/// first is not known.
bool overlap(const TextEdit &one, const TextEdit &other) {
  if (one == other)
    return false;
  if (one.begin == other.begin)
    return true;
  return key(one.begin) < key(other.end) && key(other.begin) < key(one.end);
}

/// A text with fixes made.
struct FixedText {
  std::string text;
  unsigned fixes = 0;
};

/// Returns the text of `file` with the certain fixes of `diagnostics` made, one for each diagnostic; those
/// that overlap one before are left for the next time.
FixedText withCertainFixes(const SourceFile &file, const std::vector<Diagnostic> &diagnostics) {
  FixedText fixed;
  std::vector<TextEdit> edits;
  for (const Diagnostic &diagnostic : diagnostics) {
    const auto fix = std::ranges::find(diagnostic.fixes, Certainty::Certain, &Fix::certainty);
    if (fix == diagnostic.fixes.end() || fix->file != file.path())
      continue;
    const auto clashes = [&](const TextEdit &edit) {
      return std::ranges::any_of(edits, [&](const TextEdit &made) { return overlap(edit, made); });
    };
    if (std::ranges::any_of(fix->edits, clashes))
      continue;
    for (const TextEdit &edit : fix->edits)
      if (std::ranges::find(edits, edit) == edits.end()) // an import that two fixes add
        edits.push_back(edit);
    ++fixed.fixes;
  }
  fixed.text = fixed.fixes ? withEdits(file, std::move(edits)) : std::string(file.text());
  return fixed;
}

/// Checks one file after the other.
class Checker {
public:
  Checker(const CheckCommand &command, CheckOptions options)
      : command(command), options(std::move(options)) {}

  Result<std::vector<FileCheck>> check() {
    for (const CheckedFile &file : filesToCheck(command.files))
      TRY(add(file));
    return std::move(checks);
  }

private:
  Result<void> add(const CheckedFile &file) {
    KernelOptions input;
    input.file = file.path;
    input.importPaths = command.importPaths;
    input.constexprs = command.constexprs;
    Result<Input> read = readInput(input);
    if (!read) {
      checks.push_back(failed(file.path, read.error().text));
      return {};
    }
    if (read->stage) {
      checks.push_back(
          failed(file.path, fmt::format("`check` is for files of kernels: `{}` is the text of stage `{}`",
                                        read->path, stageName(*read->stage))));
      return {};
    }
    // Most files of a folder of Python have nothing for us, and need not be Python that we read.
    if (!file.isNamed && read->text.find("jit") == std::string::npos)
      return {};
    const jit::ImportSearch imports = TRY(importsOf(input));
    Compiler &compiler = jit::sharedCompiler();
    const bool hasMark = read->text.starts_with(byteOrderMark);
    std::shared_ptr<const ParsedSource> source =
        compiler.parse(read->path, std::move(read->text), imports.options(read->path));
    FileCheck check = checkParsed(compiler, *source, options);
    if (command.fix && file.path != "-") {
      fixAll(source, check, imports);
      if (check.fixes)
        TRY(rewrite(file.path,
                    (hasMark ? std::string(byteOrderMark) : "") + std::string(source->file().text())));
    }
    if (options.remarks)
      std::ranges::move(missedOptimisations(check, *source), std::back_inserter(check.diagnostics));
    if (!check.hasErrors() && listKernels(*source).empty()) {
      if (!file.isNamed)
        return {};
      check.diagnostics.push_back({.severity = Severity::Warning,
                                   .message = fmt::format("no `@triton.jit` function in `{}`", check.path)});
    }
    checks.push_back(std::move(check));
    return {};
  }

  /// Writes the file anew, which keeps its rights and stays what links lead to.
  static Result<void> rewrite(const std::string &path, const std::string &text) {
    namespace fs = std::filesystem;
    std::error_code failed;
    const fs::path real = fs::canonical(path, failed);
    const std::string to = failed ? path : real.string();
    const fs::file_status before = fs::status(to, failed);
    TRY(runtime::writeFile(to, text));
    if (!failed)
      fs::permissions(to, before.permissions(), failed);
    return {};
  }

  /// Makes the fixes that are certain, until there are none. A text that parses stays one.
  void fixAll(std::shared_ptr<const ParsedSource> &source, FileCheck &check,
              const jit::ImportSearch &imports) const {
    constexpr unsigned rounds = 10; // a fix may show what it has hidden
    for (unsigned round = 0; round < rounds; ++round) {
      FixedText fixed = withCertainFixes(source->file(), check.diagnostics);
      if (!fixed.fixes)
        break;
      Compiler &compiler = jit::sharedCompiler();
      const std::string path = source->file().path();
      std::shared_ptr<const ParsedSource> changed =
          compiler.parse(path, std::move(fixed.text), imports.options(path));
      if (changed->hasErrors && !source->hasErrors)
        break;
      const unsigned before = check.fixes;
      source = std::move(changed);
      check = checkParsed(compiler, *source, options);
      check.fixes = before + fixed.fixes;
    }
  }

  const CheckCommand &command;
  const CheckOptions options;
  std::vector<FileCheck> checks;
};
} // namespace

static Result<int> work(const CheckCommand &command) {
  CheckOptions options = TRY(checkOptionsOf(command.arch, command.record));
  options.stage = TRY(stageOf(command));
  options.remarks = command.notes;
  const std::vector<FileCheck> checks = TRY(Checker(command, options).check());
  if (command.json)
    writeOut(checkJson(checks).text());
  else
    for (const FileCheck &check : checks)
      say(render(check.diagnostics));
  if (!command.json)
    writeOut(checkSummary(checks));
  const bool isWrong =
      std::any_of(checks.begin(), checks.end(), [](const FileCheck &one) { return one.hasErrors(); });
  return int(isWrong ? InputWrong : Done);
}

int checkCommand(const CheckCommand &command) {
  return statusOf(work(command), command.json ? "json" : "", writeOut);
}

} // namespace tegula::cli
