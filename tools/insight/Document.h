// Joins what is known of one kernel: what its compilation told, what a run on the emulator counted, what the
// assembler made. Plain data, which the writers of this folder show.
#pragma once

#include "compiler/driver/Remark.h"
#include "compiler/insight/Insight.h"
#include "compiler/spec/KernelSpec.h"
#include "runtime/device/Device.h"
#include "runtime/emulator/EmulatorReport.h"
#include "runtime/emulator/Profile.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace tegula::explain {

using insight::Index;
using insight::None;

/// A file of the kernel's source.
struct File {
  std::string path;
  std::optional<std::string> text; ///< nothing where it could not be read
};

/// A remark of the compiler with the numbers of its place and of its causes.
struct PlacedRemark {
  Remark remark;
  Index place = None;
  std::vector<Index> causes = {};
};

/// Returns the value of an argument of a remark; empty where it has none of this name.
std::string argumentOf(const Remark &remark, std::string_view key);

/// An instruction's accesses of one memory.
struct Access {
  Index place = None;
  uint32_t ptxLine = 0;
  bool isShared = false, isStore = false;
  uint32_t bytesPerLane = 0;
  uint64_t requests = 0;
  uint64_t units = 0, unitsLeast = 0; ///< sectors of 32 bytes, or passes over the banks
  std::vector<runtime::AccessPattern> patterns;
  bool isAtomic = false;
};

/// The counts of a run.
struct Run {
  std::string device;
  runtime::EmulatorReport report;
  runtime::KernelProfile profile;
  std::vector<Access> accesses;
};

/// The most that a device moves and computes in a second.
struct Peaks {
  std::string from; ///< "data sheet of NVIDIA H200 SXM", "clocks that NVIDIA H200 reports"
  double bytesPerSecond = 0;
  std::map<std::string, double> flopsPerSecond; ///< by kind of arithmetic, as in `Roofline`
};

/// The arithmetic of a run, and the bytes of global memory that it was for.
struct Roofline {
  std::map<std::string, uint64_t> flops; ///< by kind: "fp32", "products of fp16"
  uint64_t bytesMoved = 0, bytesLeast = 0;
  std::optional<Peaks> peaks; ///< nothing where none are known of the target
};

/// Machine code by the offsets of its instructions.
struct Sass {
  std::string text; ///< empty where no disassembler was found
  std::vector<uint64_t> addresses;
  std::vector<uint32_t> ptxLines;
};

/// The blocks that a multiprocessor holds at a time.
struct Occupancy {
  uint32_t blocks = 0;
  std::map<std::string, uint32_t>
      limits; ///< blocks that each resource allows: "warps", "blocks", "registers", "shared"
  std::vector<std::string> limiters; ///< those that allow the fewest
  /// By how much what a limiter is of would have to shrink for one more block: registers of a thread, bytes
  /// of shared memory. Only where that alone would do.
  std::map<std::string, int64_t> nextBlock;
};

/// Resources that a block takes.
struct Resources {
  std::optional<runtime::EntryResources> assembled; ///< nothing where no assembler was found
  std::optional<uint32_t> barriers;                 ///< named barriers, as the machine code says
  uint32_t registerLimit = 0, threads = 32;
  uint64_t sharedBytes = 0, sharedLimit = 0;
  Occupancy occupancy;

  /// Returns true if registers are stored to memory, or loaded from there.
  bool hasSpills() const { return assembled && (assembled->spillStoreBytes || assembled->spillLoadBytes); }
};

/// Something that costs more than it must.
struct Finding {
  enum Kind : uint8_t {
    Uncoalesced, ///< more sectors than the bytes that are asked for lie in
    Narrow,      ///< more requests than accesses of 16 bytes would take
    Conflicts,   ///< more passes over the banks of shared memory than there must be
    Spills,
    Unpipelined, ///< a loop whose loads are not kept in flight
    Threads,     ///< a product that threads compute, not the matrix units
    Widened,     ///< a product of operands that were converted to more bits for it
    Fp64,        ///< arithmetic in 64 bits that no argument asks for
    Int64,       ///< divisions and products of integers of 64 bits
    Atomics,     ///< memory that is changed each time round a loop, or often
    Idle,        ///< warps that repeat what others do
    Masked,      ///< a tile of which most elements are masked, or iterations of which all are
    Repeated,    ///< loads of what was loaded before, or reductions that other programs carry out too
    Reduced,     ///< lanes that combine their elements each time round a loop
    Missed
  };
  Kind kind = Missed;
  Index place = None;
  std::string text;
  uint64_t cost = 0, least = 0; ///< in `unit`; both 0 where nothing was counted
  std::string unit;
  std::string because, change; ///< empty where nothing is known
  std::vector<Index> cause;
  bool isNothingToDo = false; ///< no change of the kernel would help

  void count(uint64_t counted, uint64_t needed, std::string_view what) {
    cost = counted;
    least = needed;
    unit = what;
  }
};
/// "uncoalesced", "narrow", ...: the name of the kind, in small letters.
std::string_view findingName(Finding::Kind kind);
/// All of them but "missed", which no kernel need be without.
std::vector<std::string> findingNames();

/// One of the kernel's configs.
struct ConfigReport {
  uint32_t number = 0;
  std::string text, error; ///< `error` is empty where it compiles
  std::optional<Resources> resources;
};

/// The counts of a launch by the device's own counters, which are those of its machine code: instructions are
/// others than PTX has, and sectors and conflicts should be what the emulator counts.
struct DeviceCounts {
  std::string from;          ///< the program that read them
  uint64_t instructions = 0; ///< of warps
  uint64_t loadSectors = 0, storeSectors = 0, bankConflicts = 0;
  uint64_t dramBytesRead = 0, dramBytesWritten = 0; ///< what caches did not have or keep
};

/// Launches on a device.
struct Measured {
  std::string device;
  uint32_t launches = 0;
  std::array<double, 5> nsQuantiles{}; ///< least, quartiles, most
  std::optional<DeviceCounts> counts;
  std::string whyNoCounts; ///< where there are none
};

struct Document {
  std::string version, llvm, assembler; ///< `assembler` is empty where there was none
  std::string file, kernel;
  uint32_t line = 0; ///< of the kernel's `def`
  KernelSpec spec;
  std::optional<std::array<uint32_t, 3>> grid;
  std::string specFrom = "options";       ///< "options", "docstring", "text" or "call"
  std::vector<std::string> guessed;       ///< parameters that nothing says anything of
  std::map<std::string, int64_t> numbers; ///< integers that the run was given, by parameter
  std::vector<File> files;                ///< by `insight.files`
  insight::Insight insight;
  std::vector<PlacedRemark> remarks;
  std::string ptx;
  std::vector<insight::Span> ptxSpans; ///< a row for each instruction
  std::optional<Sass> sass;
  std::optional<Run> run;
  std::optional<Roofline> roofline; ///< of the run
  Resources resources;
  std::vector<Finding> findings; ///< the dearest first
  std::vector<ConfigReport> configs;
  std::optional<Measured> measured;

  /// A point of the source: file, line and column. A place's end and its calls do not tell ops apart.
  using Point = std::tuple<Index, uint32_t, uint32_t>;
  Point pointOf(Index place) const {
    const insight::Place &at = insight.places[size_t(place)];
    return {at.file, at.line, at.column};
  }
  /// Returns whether `place` is one, and at the point of `other`.
  bool isAt(Index place, Index other) const { return place != None && pointOf(place) == pointOf(other); }
  bool isOfStage(const insight::Value &value, std::string_view stage) const {
    return insight.stages[size_t(value.stage)].name == stage;
  }
  /// Returns the remark that programs share a block, or have fewer warps than were asked for; null where they
  /// do not.
  const Remark *packing() const;
  /// Returns the place of a line of the PTX; `None` where it has none.
  Index placeOfPtxLine(uint32_t ptxLine) const;
  /// Returns the text of a line of one of the files, without what surrounds it; empty where it is not known.
  std::string_view lineText(Index file, uint32_t line) const;
};

} // namespace tegula::explain
