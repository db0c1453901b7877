// The launch that `tegula debug` and `tegula dap` look at: a command line of `tegula run`, on the
// interpreter.
#pragma once

#include "compiler/debug/Session.h"
#include "dialect/image/Result.h"
#include "tools/tegula/command/Commands.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::cli {

/// A launch that is ready to be stopped and looked at.
struct DebugSubject {
  debug::Session &session;
  std::vector<debug::Expected> expected; ///< of --expect, or what the emulator made of the arrays
  const debug::StoreLog &stores;         ///< of the emulator; without arrays where it has not run
  std::string file, kernel;
  std::string note; ///< what is to be said first: how the emulator fared; may be empty
};

/// Prepares the launch that `command` describes, and hands it to `work`. Lines that programs print go to
/// `print`. Errors: those of a run that does not come to its launch; InvalidArgument for the options of the
/// debugger.
runtime::Result<void> debugLaunch(const DebugCommand &command, std::function<void(std::string_view)> print,
                                  const std::function<void(DebugSubject &)> &work);

/// Runs a launch for the first time: to the first store that differs from the emulator's, or the first wrong
/// element, where one is expected to be found and nothing else is to be stopped at, else to what is.
void begin(DebugSubject &subject);

/// The words of --stop: "nan,overflow,wrap", "all" or "none". Errors: InvalidArgument.
runtime::Result<void> applyStops(std::string_view words, debug::Settings &settings);
/// "3", "3,0" or "3,0,1", a program of `grid`. Errors: InvalidArgument.
runtime::Result<interp::Grid> programOf(std::string_view text, const interp::Grid &grid);

} // namespace tegula::cli
