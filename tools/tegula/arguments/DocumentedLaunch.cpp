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

std::vector<std::string> wordsOf(const KernelOptions &options, const LaunchOptions &launch) {
  std::vector<std::string> words;
  const auto add = [&](const char *option, const std::string &value) {
    if (!value.empty())
      words.push_back(fmt::format("{}={}", option, value));
  };
  const auto addAll = [&](const char *option, const std::vector<std::string> &values) {
    for (const std::string &value : values)
      add(option, value);
  };
  if (!options.kernel.empty())
    words.insert(words.end(), {"-k", options.kernel});
  add("--grid", launch.grid);
  addAll("--arg", launch.arguments);
  for (const std::string &value : options.constexprs)
    words.insert(words.end(), {"-D", value});
  add("--config", options.config);
  add("--num-warps", options.numWarps);
  add("--num-stages", options.numStages);
  add("--num-ctas", options.numCtas);
  add("--without", options.without);
  add("--triton-version", options.tritonVersion);
  addAll("--extern-lib", options.externLibs);
  return words;
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
