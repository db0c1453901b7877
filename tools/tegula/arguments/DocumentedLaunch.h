// The launch or the compilation that a docstring says, in the place of options.
#pragma once

#include "dialect/image/Result.h"
#include "tools/tegula/command/Commands.h"

#include <functional>
#include <optional>
#include <span>
#include <string>

namespace tegula::cli {

/// Parses the words behind `tegula` of a documented command. Errors: InvalidArgument where they say of no
/// kernel what it is compiled for.
using ReadDocumented = std::function<runtime::Result<ExplainCommand>(std::span<const std::string> words)>;

/// Returns the first command in `text`, which messages call `path`, that is about `kernel`, or, where that is
/// empty, about any. Where there is none, says why those are passed over that cannot be read.
std::optional<ExplainCommand> findDocumented(const std::string &path, const std::string &text,
                                             const std::string &kernel, const ReadDocumented &readDocumented);

/// Returns the words that say a launch, as `tegula run` and `tegula debug` take them. Folders for imports are
/// left out.
std::vector<std::string> wordsOf(const KernelOptions &options, const LaunchOptions &launch);
/// Completes `command` by what another one says.
void complete(ExplainCommand &command, const ExplainCommand &other);

} // namespace tegula::cli
