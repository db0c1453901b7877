// `tegula explain`.
#include "runtime/host/Files.h"
#include "runtime/jit/program/CompileError.h"
#include "tools/insight/Diff.h"
#include "tools/insight/DocumentJson.h"
#include "tools/insight/ReportText.h"
#include "tools/insight/page/Page.h"
#include "tools/tegula/Documented.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/arguments/KernelChoice.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/check/KernelCheck.h"
#include "tools/tegula/check/LaunchCommand.h"
#include "tools/tegula/explain/Explanation.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Suggest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tegula::cli {

using runtime::Result;

static Result<std::set<std::string>> failuresOf(const std::string &list) {
  std::set<std::string> kinds;
  const std::vector<std::string> known = explain::findingNames();
  if (list.empty())
    return kinds;
  for (llvm::StringRef part : llvm::split(list, ',')) {
    const std::string kind = part.str();
    if (!llvm::is_contained(known, kind))
      return usageError(fmt::format("expected one or more of {} after `--fail-on`, found `{}`{}",
                                    fmt::join(known, ", "), kind, didYouMean(kind, known)));
    kinds.insert(kind);
  }
  return kinds;
}

/// Supposes that a kernel is compiled for what `tegula check` checks it for.
static Result<Supposed> suppose(const ExplainCommand &given, const Input &input) {
  CheckOptions options = TRY(checkOptionsOf(given.arch, given.record));
  options.stage = Stage::Tile;
  const KernelChoice choice = TRY(chooseKernel(given, TRY(parseKernels(given, input)), options.target));
  const ParsedSource &source = choice.program->source().parsedSource();
  KernelCheck check = checkKernel(jit::sharedCompiler(), source, *choice.kernel, options);
  if (jit::hasErrors(check.diagnostics))
    return jit::compileError(std::move(check.diagnostics));
  Specialisation &made = check.specialisation;
  if (!given.config.empty()) {
    // The values of another config take the place of those of the first.
    std::erase_if(made.spec.args, [&](const auto &one) {
      const auto reason = made.reasons.find(one.first);
      return reason != made.reasons.end() && reason->second.origin == Origin::Config;
    });
    made.spec.numWarps = made.spec.numStages = 0;
  }
  Supposed supposed{asExplained(compilationOf(*choice.kernel, made)), made.guessedOf(*choice.kernel)};
  std::erase_if(supposed.guessed,
                [&](const std::string &name) { return choice.options.constexprs.contains(name); });
  return supposed;
}

/// Returns the document that `--diff` names; empty where it names none.
static Result<std::string> readEarlier(const ExplainCommand &command) {
  constexpr size_t mostBytes = size_t(1) << 30;
  return command.diff.empty() ? std::string() : TRY(runtime::readFile(command.diff, mostBytes));
}

static Result<std::string> lineText(const explain::Document &document, uint32_t line) {
  for (const explain::File &file : document.files)
    if (file.path == document.file && file.text)
      if (const auto lines = uint32_t(std::ranges::count(*file.text, '\n') + !file.text->ends_with('\n'));
          line == 0 || line > lines)
        return usageError(fmt::format("`{}` has {} lines, and no line {}", file.path, lines, line));
  return explain::lineReport(document, line);
}

static Result<std::string> textOf(const ExplainCommand &command, const explain::Document &document,
                                  const std::string &earlier) {
  if (!command.diff.empty())
    return explain::diffText(earlier, command.diff, explain::documentJson(document));
  if (!command.line.empty())
    return lineText(document, TRY(parseCount(command.line, "--line")));
  return explain::reportText(document) + explain::configsText(document);
}

/// Writes what `--json` and `--html` ask for.
static Result<void> writeDocuments(const ExplainCommand &command, const explain::Document &document,
                                   const std::string &earlier) {
  if (command.json.empty() && command.html.empty())
    return {};
  const std::string json = explain::documentJson(document);
  if (!command.json.empty())
    TRY(writeTo(command.json, json));
  if (!command.html.empty())
    TRY(writeTo(command.html, explain::insightPage(json, earlier)));
  return {};
}

static Result<int> explainKernel(const ExplainCommand &command) {
  const std::set<std::string> failures = TRY(failuresOf(command.failOn));
  if (!command.line.empty())
    TRY(parseCount(command.line, "--line"));
  if (command.json == "-" && command.html == "-")
    return usageError("expected at most one of `--json` and `--html` on standard output, found both");
  const std::string earlier = TRY(readEarlier(command));
  const Subject subject = TRY(readSubject(command, readDocumented, suppose));
  const explain::Document document = TRY(explainSubject(subject));
  const std::string text = TRY(textOf(command, document, earlier));
  TRY(writeDocuments(command, document, earlier));
  if (command.json != "-" && command.html != "-")
    writeOut(text);
  const bool fails = std::ranges::any_of(document.findings, [&](const explain::Finding &finding) {
    return !finding.isNothingToDo && failures.contains(std::string(explain::findingName(finding.kind)));
  });
  return int(fails ? InputWrong : Done);
}

int explainCommand(const ExplainCommand &command) { return statusOf(explainKernel(command)); }

} // namespace tegula::cli
