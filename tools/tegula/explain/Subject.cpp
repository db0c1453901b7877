#include "tools/tegula/explain/Subject.h"

#include "tools/tegula/arguments/DocumentedCommands.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

/// Completes `command` by what another one says.
static void complete(ExplainCommand &command, const ExplainCommand &other) {
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

/// The first command in `text` that is about `kernel`, or, where that is empty, about any.
static std::optional<ExplainCommand> findDocumented(const std::string &text, const std::string &kernel,
                                                    const ReadDocumented &readDocumented) {
  for (const DocumentedCommand &command : documentedCommands(text))
    if (std::optional<ExplainCommand> read = readDocumented(command.words))
      if (kernel.empty() || read->kernel.empty() || read->kernel == kernel)
        return read;
  return std::nullopt;
}

Result<Subject> readSubject(const ExplainCommand &command, const ReadDocumented &readDocumented,
                            const Suppose &suppose) {
  Subject subject{command, TRY(readInput(command)), "options", {}};
  if (subject.input.stage)
    return usageError(fmt::format("expected a file of kernels: `{}` is the text of stage `{}`",
                                  subject.input.path, stageName(*subject.input.stage)));
  const bool saysWhatFor = !command.arguments.empty() || !command.signature.empty();
  if (saysWhatFor && !command.arguments.empty() && !command.signature.empty())
    return usageError("expected `--arg`, for a launch, or `--sig`, for a compilation, not both");
  if (!command.arguments.empty() && command.grid.empty())
    return usageError("expected a grid with `--arg`: --grid=X[,Y[,Z]]");
  if (!command.signature.empty() && !command.grid.empty())
    return usageError("`--grid` is for a launch, which takes `--arg`: leave `--sig` out");
  if (saysWhatFor)
    return subject;
  const std::optional<ExplainCommand> documented =
      findDocumented(subject.input.text, command.kernel, readDocumented);
  if (!documented) {
    Supposed supposed = TRY(suppose(command, subject.input));
    complete(subject.command, supposed.command);
    subject.specFrom = "text";
    subject.guessed = std::move(supposed.guessed);
    return subject;
  }
  complete(subject.command, *documented);
  subject.specFrom = "docstring";
  return subject;
}

} // namespace tegula::cli
