// `tegula explain`.
#include "runtime/host/Files.h"
#include "tools/insight/Diff.h"
#include "tools/insight/DocumentJson.h"
#include "tools/insight/ReportText.h"
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

static Result<std::string> textOf(const ExplainCommand &command, const explain::Document &document) {
  if (!command.diff.empty()) {
    constexpr size_t mostBytes = size_t(1) << 30;
    const std::string earlier = TRY(runtime::readFile(command.diff, mostBytes));
    return explain::diffText(earlier, command.diff, explain::documentJson(document));
  }
  if (!command.line.empty())
    return explain::lineReport(document, TRY(parseCount(command.line, "--line")));
  return explain::reportText(document) + explain::configsText(document);
}

static Result<int> explainKernel(const ExplainCommand &command) {
  const std::set<std::string> failures = TRY(failuresOf(command.failOn));
  if (!command.line.empty())
    TRY(parseCount(command.line, "--line"));
  const Subject subject = TRY(readSubject(command, readDocumented));
  const explain::Document document = TRY(explainSubject(subject));
  const std::string text = TRY(textOf(command, document));
  if (command.json == "-")
    writeOut(explain::documentJson(document));
  else if (!command.json.empty())
    TRY(runtime::writeFile(command.json, explain::documentJson(document)));
  if (command.json != "-")
    writeOut(text);
  const bool fails = std::ranges::any_of(document.findings, [&](const explain::Finding &finding) {
    return failures.contains(std::string(explain::findingName(finding.kind)));
  });
  return int(fails ? InputWrong : Done);
}

int explainCommand(const ExplainCommand &command) { return statusOf(explainKernel(command)); }

} // namespace tegula::cli
