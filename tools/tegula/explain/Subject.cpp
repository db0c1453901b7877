#include "tools/tegula/explain/Subject.h"

#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

#include <optional>

namespace tegula::cli {

using runtime::Result;

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
      findDocumented(subject.input.path, subject.input.text, command.kernel, readDocumented);
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
