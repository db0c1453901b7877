// The Debug Adapter Protocol over one session.
#pragma once

#include "dialect/image/Result.h"
#include "tools/tegula/command/Commands.h"

#include <functional>
#include <span>
#include <string>

namespace tegula::cli {

/// The command of `tegula debug` that words describe. Errors: InvalidArgument.
using ParseDebugCommand = std::function<runtime::Result<DebugCommand>(std::span<const std::string> words)>;

/// Serves one client on standard input and output, until it goes away or has enough.
void serveDap(const ParseDebugCommand &parse);

} // namespace tegula::cli
