// The launch that the thread level looks at: a command line of `tegula run`, on the emulator.
#pragma once

#include "dialect/image/Result.h"
#include "tools/tegula/command/Commands.h"
#include "tools/tegula/threads/ThreadText.h"

#include <functional>
#include <string_view>

namespace tegula::cli {

/// Returns whether `command` asks for the thread level. Errors: InvalidArgument for a device without a
/// debugger, and for options of the other level.
runtime::Result<bool> asksForThreads(const DebugCommand &command);

/// Prepares the launch that `command` describes, compiled or of a file of PTX, and hands it to `work`. Lines
/// that programs print go to `print`. Errors: those of a run that does not come to its launch.
runtime::Result<void> threadLaunch(const DebugCommand &command, std::function<void(std::string_view)> print,
                                   const std::function<void(ThreadSubject &)> &work);

} // namespace tegula::cli
