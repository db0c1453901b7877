// A block's shared memory with its race detector.
//
// Threads of a block are ordered only by barriers. Each warp carries a vector clock: entry v of warp
// w's clock is the last moment of warp v that w is known to come after. Barriers join clocks. Every
// byte remembers its last write and each warp's last read as (warp, that warp's moment, lane); an
// access races with a remembered one when its warp's clock does not cover that moment. Inside a
// warp the lanes are ordered by .sync instructions alone, which start a new moment.
//
// Moments grow from block to block, so the marks of an old block are older than every new moment
// and nothing is cleared between blocks.
#pragma once

#include <cstdint>
#include <vector>

namespace tegula::runtime::ptx {

/// An earlier access that the present one races with.
struct Conflict {
  bool found = false;
  bool wasWrite = false;
  uint32_t warp = 0;
  uint32_t lane = 0; ///< 32: several lanes
  uint32_t line = 0; ///< PTX line
  uint64_t address = 0;
};

class SharedMemory {
public:
  static constexpr uint32_t severalLanes = 32;

  /// Gets ready for blocks of `warps` warps with `bytes` bytes.
  void configure(uint32_t bytes, uint32_t warps);
  /// Forgets everything: all bytes are uninitialised and all warps in step.
  void beginBlock();

  uint8_t *data() { return bytes.data(); }
  uint32_t size() const { return uint32_t(bytes.size()); }

  /// Who accesses, for the marks. `serial` tells executed instructions of a warp apart.
  struct Access {
    uint32_t warp, lane, line, serial;
    bool strong;
  };
  /// Records a read and looks for a racing write.
  Conflict read(const Access &access, uint64_t address, uint32_t count);
  /// Records a write, before the bytes change, and looks for racing accesses. `values` are the new
  /// bytes: lanes of one instruction may write the same value.
  Conflict write(const Access &access, uint64_t address, uint32_t count, const uint8_t *values);
  /// The first uninitialised byte of the range, or the end of it.
  uint64_t firstUninitialised(uint64_t address, uint32_t count) const;

  /// Whether written bytes hold a value: an undefined register may pass through shared memory, as when
  /// a masked-off element changes its place in a tile, and is reported where it comes to matter.
  void setDefined(uint64_t address, uint32_t count, bool defined);
  bool isDefined(uint64_t address, uint32_t count) const;

  /// Bytes that a cp.async still has under way.
  void setPending(uint64_t address, uint32_t count, bool pending);
  bool isPending(uint64_t address, uint32_t count) const;

  /// Starts a new moment of `warp`: what its lanes did before comes before what they do next.
  void tick(uint32_t warp);
  /// A barrier's clock: `release` joins the warp's into it, `acquire` joins it into the warp's.
  using Clock = std::vector<uint32_t>;
  void release(uint32_t warp, Clock &clock) const;
  void acquire(uint32_t warp, const Clock &clock);
  Clock emptyClock() const { return Clock(warps, base); }

private:
  // A stamp is moment * 64 + lane.
  struct WriteMark {
    uint32_t stamp = 0, line = 0, serial = 0;
    uint16_t warp = 0;
    bool strong = false, pending = false, undefined = false;
  };
  struct ReadMark {
    uint32_t stamp = 0, line = 0;
  };
  void startClocks();
  bool ordered(uint32_t accessor, uint32_t warp, uint32_t lane, uint32_t stamp) const;

  uint32_t warps = 0;
  uint32_t base = 1, latest = 1; ///< moment at the block's start, and the greatest moment in use
  std::vector<uint8_t> bytes;
  std::vector<WriteMark> writes;
  std::vector<ReadMark> reads;  ///< [byte * warps + warp]; strong reads leave no mark
  std::vector<uint32_t> clocks; ///< [warp * warps + other]
};

} // namespace tegula::runtime::ptx
