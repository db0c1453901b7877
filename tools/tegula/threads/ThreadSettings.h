// A launch at the thread level: what runs, where it is to stop, and why it has stopped.
#pragma once

#include "compiler/debug/Arrays.h"
#include "dialect/image/Result.h"
#include "runtime/device/Device.h"
#include "tools/tegula/threads/CodeLines.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tegula::cli {

struct ThreadLaunch {
  std::function<runtime::Result<void>()> run; ///< launches and waits; may be called again
  std::function<std::string()> takePrinted;   ///< what programs of the last run have printed
  std::function<void(std::string_view)> print;
  PlacesOf placesOf;
  /// The places of the operations that make what a name of the source is bound to; may be empty.
  std::function<std::vector<runtime::SourcePlace>(const std::string &name)> madeAt;
  std::vector<debug::Array> arrays;
  runtime::Grid programs;
  bool isPersistent = false; ///< each block runs several programs
};

/// The reason why the launch does not go on.
struct ThreadStop {
  enum Kind : uint8_t {
    Start,       ///< nothing has run
    Instruction, ///< before an instruction that a step led to
    Breakpoint,  ///< before an instruction with a breakpoint
    Fault,       ///< a thread has misbehaved, or none can go on
    Interrupted, ///< before an instruction, because the host asked
    End          ///< all blocks have ended
  } kind = Start;
  std::string text;        ///< lower case, no full stop; may be empty
  unsigned breakpoint = 0; ///< its number
};

/// A place to stop at, of one warp or of all.
struct ThreadBreakpoint {
  unsigned number = 0;
  uint32_t ptxLine = 0; ///< of an instruction; 0 where it is a statement of the source
  std::string file;
  uint32_t statement = 0;
  std::optional<uint32_t> warp;
};

struct ThreadSettings {
  std::optional<runtime::Grid> program; ///< the only one to stop in, but for faults
  std::vector<ThreadBreakpoint> breakpoints;
};

} // namespace tegula::cli
