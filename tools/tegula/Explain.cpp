// `tegula explain`.
#include "runtime/host/Files.h"
#include "tools/insight/Diff.h"
#include "tools/insight/DocumentJson.h"
#include "tools/insight/ReportText.h"
#include "tools/insight/page/Page.h"
#include "tools/tegula/CommandTables.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/explain/Explanation.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tegula::cli {

using runtime::Result;

/// The kinds of findings that `--fail-on` may name.
static std::vector<std::string> failureKinds() {
  std::vector<std::string> kinds;
  for (const explain::Finding::Kind kind :
       {explain::Finding::Uncoalesced, explain::Finding::Narrow, explain::Finding::Conflicts,
        explain::Finding::Spills, explain::Finding::Unpipelined})
    kinds.emplace_back(explain::findingName(kind));
  return kinds;
}

static Result<std::set<std::string>> failuresOf(const std::string &list) {
  std::set<std::string> kinds;
  const std::vector<std::string> known = failureKinds();
  for (size_t begin = 0; begin <= list.size() && !list.empty();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string kind = list.substr(begin, end - begin);
    if (std::ranges::find(known, kind) == known.end())
      return usageError(fmt::format("expected uncoalesced, narrow, conflicts, spills or unpipelined after "
                                    "`--fail-on`, found `{}`{}",
                                    kind, didYouMean(kind, known)));
    kinds.insert(kind);
    begin = end + 1;
  }
  return kinds;
}

static std::optional<ExplainCommand> readDocumented(std::span<const std::string> words) {
  // Options that have no part in what a kernel costs are read and left.
  CommandValues values;
  const std::vector<CommandTable> tables = commandTables(values);
  const CommandTable *table = words.empty() ? nullptr : findCommand(tables, words[0]);
  if (!table || !parseOptions(*table, words.subspan(1)))
    return std::nullopt;
  ExplainCommand command;
  if (words[0] == "run") {
    static_cast<KernelOptions &>(command) = values.run;
    command.grid = values.run.grid;
    command.arguments = values.run.arguments;
    if (command.grid.empty() || !values.run.world.empty())
      return std::nullopt;
  } else {
    static_cast<SpecOptions &>(command) = values.compile;
    command.arch = values.compile.arch;
  }
  return command;
}

/// Returns the document that `--diff` names; empty where it names none.
static Result<std::string> readEarlier(const ExplainCommand &command) {
  constexpr size_t mostBytes = size_t(1) << 30;
  return command.diff.empty() ? std::string() : TRY(runtime::readFile(command.diff, mostBytes));
}

static Result<std::string> textOf(const ExplainCommand &command, const explain::Document &document,
                                  const std::string &earlier) {
  if (!command.diff.empty())
    return explain::diffText(earlier, command.diff, explain::documentJson(document));
  if (!command.line.empty())
    return explain::lineReport(document, TRY(parseCount(command.line, "--line")));
  return explain::reportText(document) + explain::configsText(document);
}

/// Writes `text` to the file `name`, or to standard output for `-`.
static Result<void> write(const std::string &name, const std::string &text) {
  if (name != "-")
    return runtime::writeFile(name, text);
  writeOut(text);
  return {};
}

/// Writes what `--json` and `--html` ask for.
static Result<void> writeDocuments(const ExplainCommand &command, const explain::Document &document,
                                   const std::string &earlier) {
  if (command.json.empty() && command.html.empty())
    return {};
  const std::string json = explain::documentJson(document);
  if (!command.json.empty())
    TRY(write(command.json, json));
  if (!command.html.empty())
    TRY(write(command.html, explain::insightPage(json, earlier)));
  return {};
}

static Result<int> explainKernel(const ExplainCommand &command) {
  const std::set<std::string> failures = TRY(failuresOf(command.failOn));
  if (!command.line.empty())
    TRY(parseCount(command.line, "--line"));
  if (command.json == "-" && command.html == "-")
    return usageError("expected at most one of `--json` and `--html` on standard output, found both");
  const std::string earlier = TRY(readEarlier(command));
  const Subject subject = TRY(readSubject(command, readDocumented));
  const explain::Document document = TRY(explainSubject(subject));
  const std::string text = TRY(textOf(command, document, earlier));
  TRY(writeDocuments(command, document, earlier));
  if (command.json != "-" && command.html != "-")
    writeOut(text);
  const bool fails = std::ranges::any_of(document.findings, [&](const explain::Finding &finding) {
    return failures.contains(std::string(explain::findingName(finding.kind)));
  });
  return int(fails ? InputWrong : Done);
}

int explainCommand(const ExplainCommand &command) { return statusOf(explainKernel(command)); }

} // namespace tegula::cli
