// Options of `explain` and `debug` that only the text of the file says.
#pragma once

#include "tools/tegula/arguments/DocumentedLaunch.h"
#include "tools/tegula/check/DocLines.h"
#include "tools/tegula/command/Commands.h"

namespace tegula::cli {

/// Parses the words of `tegula run` and `tegula compile`. Errors: InvalidArgument for words that are none of
/// these, and for a launch on several ranks.
runtime::Result<ExplainCommand> readDocumented(std::span<const std::string> words);

/// The command of `explain` with the options of another.
ExplainCommand asExplained(const LaunchWords &words);

/// Completes `command` by the first launch in the text of its file that is about its kernel, where it says
/// neither a grid nor arguments. Errors: Io; InvalidArgument where no launch is there.
runtime::Result<void> completeLaunch(DebugCommand &command);

} // namespace tegula::cli
