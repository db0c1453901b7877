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

static void take(std::string &given, const std::string &documented) {
  if (given.empty())
    given = documented;
}

/// Completes `command` by what the documented command says.
static void complete(ExplainCommand &command, const ExplainCommand &documented) {
  take(command.kernel, documented.kernel);
  take(command.grid, documented.grid);
  take(command.numWarps, documented.numWarps);
  take(command.numStages, documented.numStages);
  take(command.numCtas, documented.numCtas);
  take(command.config, documented.config);
  take(command.without, documented.without);
  take(command.tritonVersion, documented.tritonVersion);
  take(command.arch, documented.arch);
  addMissing(command.constexprs, documented.constexprs);
  command.arguments = documented.arguments;
  command.signature = documented.signature;
  // A folder in the text is relative to one that is not known; one that is given is not.
  if (command.importPaths.empty())
    command.importPaths = documented.importPaths;
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

Result<Subject> readSubject(const ExplainCommand &command, const ReadDocumented &readDocumented) {
  Subject subject{command, TRY(readInput(command)), "options"};
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
  if (!documented)
    return usageError(fmt::format(
        "`{}` has no line `tegula run` or `tegula compile` in its text{}: say by `--arg` and "
        "`--grid`, or by `--sig`, what the kernel is for",
        subject.input.path, command.kernel.empty() ? "" : fmt::format(" about `{}`", command.kernel)));
  complete(subject.command, *documented);
  subject.specFrom = "docstring";
  return subject;
}

} // namespace tegula::cli
