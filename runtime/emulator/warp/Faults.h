// Faults in words: what went wrong, where in the source, and which thread of a block did it.
#pragma once

#include "runtime/emulator/warp/LaunchContext.h"

#include <array>
#include <string>

namespace tegula::runtime::ptx {

/// Reports the faults of a block's threads. The first one of the launch stands.
class Faults {
public:
  /// `launch` must outlive this.
  explicit Faults(LaunchContext &launch) : launch(launch) {}
  /// The block with this index begins.
  void beginBlock(std::array<uint32_t, 3> blockIndex);

  /// Ends the launch with an error of the thread at `at`, or in front of the first instruction where that is
  /// null. A `lane` beyond the last means the whole warp.
  void report(const Inst *at, uint32_t warp, uint32_t lane, const std::string &text);
  /// Reports a read of memory that has not been written. A barrier may be missing and the write yet to come,
  /// so this is the fault only if no race shows before the next fault or the end of the block.
  void reportUnwritten(const Inst &at, uint32_t warp, uint32_t lane, const std::string &text);
  bool hasUnwritten() const { return !unwritten.empty(); }
  /// A race is about to be reported: it explains the read of unwritten memory before it.
  void forgetUnwritten() { unwritten.clear(); }
  /// The read of unwritten memory, if there was one, is the fault.
  void raiseUnwritten();

  /// The whole message of a fault.
  std::string faultText(const Inst *at, uint32_t warp, uint32_t lane, const std::string &text) const;
  SourcePlace sourcePlaceOf(const Inst &inst) const;
  /// "thread (3,0,0)": the index in the block.
  std::string threadName(uint32_t warp, uint32_t lane) const;
  /// "add.py:12 (PTX line 7)": the source line that PTX line `line` came from, and the PTX line itself.
  std::string placeName(uint32_t line) const;
  /// "block (1,0,0)", and which program of those that share it.
  std::string blockName(uint32_t warp) const;

private:
  const Place &placeOf(const Inst &inst) const { return launch.program->module.places[inst.place]; }
  std::string describe(const Place &place) const;
  /// Sets the launch's fault.
  void raise(std::string text, FaultyThread thread);

  LaunchContext &launch;
  std::array<uint32_t, 3> index{};
  std::string unwritten; ///< the fault of `reportUnwritten`
  FaultyThread unwrittenThread;
};

} // namespace tegula::runtime::ptx
