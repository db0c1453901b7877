#include "tools/tegula/arguments/DocumentedLaunch.h"

#include "tools/tegula/arguments/DocumentedCommands.h"
#include "tools/tegula/output/Output.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

using runtime::Result;

/// The name in front of the `=` of an option's value.
static std::string_view nameOf(std::string_view assignment) {
  return assignment.substr(0, assignment.find('='));
}

/// Adds those values of `added` whose names `given` does not have.
static void addMissing(std::vector<std::string> &given, const std::vector<std::string> &added) {
  const auto isGiven = [&given, count = given.size()](const std::string &one) {
    return std::any_of(given.begin(), given.begin() + long(count),
                       [&](const std::string &other) { return nameOf(other) == nameOf(one); });
  };
  for (const std::string &one : added)
    if (!isGiven(one))
      given.push_back(one);
}

static void take(std::string &given, const std::string &other) {
  if (given.empty())
    given = other;
}

void complete(ExplainCommand &command, const ExplainCommand &other) {
  take(command.kernel, other.kernel);
  take(command.grid, other.grid);
  take(command.numWarps, other.numWarps);
  take(command.numStages, other.numStages);
  take(command.numCtas, other.numCtas);
  take(command.config, other.config);
  take(command.without, other.without);
  take(command.tritonVersion, other.tritonVersion);
  take(command.arch, other.arch);
  addMissing(command.constexprs, other.constexprs);
  command.arguments = other.arguments;
  command.signature = other.signature;
  // A folder in the text is relative to one that is not known; one that is given is not.
  if (command.importPaths.empty())
    command.importPaths = other.importPaths;
}

std::optional<ExplainCommand> findDocumented(const std::string &path, const std::string &text,
                                             const std::string &kernel,
                                             const ReadDocumented &readDocumented) {
  std::string passedOver;
  for (const DocumentedCommand &command : documentedCommands(text)) {
    Result<ExplainCommand> read = readDocumented(command.words);
    if (!read)
      passedOver += fmt::format("{}:{}: warning: the command `tegula {}` is passed over: {}\n", path,
                                command.line + 1, command.words.front(), read.error().text);
    else if (kernel.empty() || read->kernel.empty() || read->kernel == kernel)
      return std::move(*read);
  }
  say(passedOver);
  return std::nullopt;
}

} // namespace tegula::cli
