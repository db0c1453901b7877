// A launch at the thread level: what runs, where it is to stop, and why it has stopped.
#pragma once

#include "compiler/debug/Arrays.h"
#include "dialect/image/Result.h"
#include "tools/tegula/debug/EmulatedPrograms.h"
#include "tools/tegula/threads/CodeLines.h"
#include "tools/tegula/threads/HeldValues.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tegula::runtime::ptx {
class Warp;
struct Inst;
} // namespace tegula::runtime::ptx

namespace tegula::cli {

struct ThreadLaunch {
  std::function<runtime::Result<void>()> run; ///< launches and waits; may be called again
  std::function<std::string()> takePrinted;   ///< what programs of the last run have printed
  std::function<void(std::string_view)> print;
  PlacesOf placesOf;
  /// The places of the operations that make what a name of the source is bound to; may be empty.
  std::function<std::vector<runtime::SourcePlace>(const std::string &name)> madeAt;
  std::vector<debug::Array> arrays;
  LaunchedPrograms programs;
  HeldTable held;
};

/// A thread that one looks at.
struct ThreadFocus {
  std::array<uint32_t, 3> block{};
  uint32_t warp = 0, lane = 0;
};

/// The reason why the launch does not go on.
struct ThreadStop {
  enum Kind : uint8_t {
    Start,       ///< nothing has run
    Instruction, ///< before an instruction that a step led to
    Breakpoint,  ///< before an instruction with a breakpoint
    Written,     ///< before the instruction behind one that wrote what is watched
    Fault,       ///< a thread has misbehaved, or none can go on
    Interrupted, ///< before an instruction, because the host asked
    End          ///< all blocks have ended
  } kind = Start;
  std::string text;                      ///< lower case, no full stop; may be empty
  unsigned breakpoint = 0;               ///< its number, or that of a watch
  std::optional<ThreadFocus> focus = {}; ///< the thread that it is about, where that is known
  /// The instruction that has written, or set off the copy that has.
  const runtime::ptx::Inst *writer = nullptr;
};

/// The lanes of a warp in which a condition holds.
struct ThreadTruth {
  uint32_t lanes = 0;
  std::string error; ///< why it has no value; else empty
};
using ThreadCondition = std::function<ThreadTruth(const runtime::ptx::Warp &)>;

/// Says which of the times that one comes to a breakpoint stop: "3", ">= 3", "% 3".
struct HitCondition {
  bool (*compare)(uint64_t hits, uint64_t number) = nullptr;
  uint32_t number = 0;
  std::string text;

  bool holds(uint64_t hits) const { return compare(hits, number); }
};
/// Errors: InvalidArgument.
runtime::Result<HitCondition> parseHitCondition(std::string_view text);

/// The memory that threads see, as PTX calls it: of the device, of a block, of a lane.
enum class ThreadSpace : uint8_t { Global, Shared, Local };

/// An element of memory that is watched.
struct ThreadWatch {
  unsigned number = 0;
  ThreadSpace space = ThreadSpace::Global; ///< Global or Shared, of any block
  debug::Array array;
  uint64_t index = 0;
  std::string name; ///< "out[3, 17]"
};

/// A place to stop at, of one warp or of all.
struct ThreadBreakpoint {
  unsigned number = 0;
  uint32_t ptxLine = 0; ///< of an instruction; 0 where it is a statement of the source
  std::string file;
  uint32_t statement = 0;
  std::optional<uint32_t> warp;
  ThreadCondition condition = {}; ///< empty: always
  std::string conditionText = {};
  /// Counts where the condition holds, from the start of the launch on.
  std::optional<HitCondition> hits = {};
};

struct ThreadSettings {
  std::optional<runtime::Grid> program; ///< the only one to stop in, but for faults
  std::vector<ThreadBreakpoint> breakpoints;
  std::vector<ThreadWatch> watches;
};

} // namespace tegula::cli
