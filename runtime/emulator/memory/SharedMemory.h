// A block's shared memory with its race detector: every byte remembers its last write and each warp's last
// read, and `Clocks` says which of them come before the present access.
//
// A mark stands for four bytes, until an access of one or two bytes splits all marks: few kernels pay for
// those.
#pragma once

#include "runtime/emulator/memory/Clocks.h"

#include <cstdint>
#include <vector>

namespace tegula::runtime::ptx {

class SharedMemory {
public:
  /// `clocks` must outlive this and be configured first.
  SharedMemory(const Clocks &clocks, uint32_t size);
  /// All bytes are uninitialised; called once the clocks have begun the block.
  void beginBlock();
  /// Forgets who accessed what, before the clocks restart; what is initialised stays so.
  void forgetAccesses();

  uint8_t *data() { return bytes.data(); }
  uint32_t size() const { return uint32_t(bytes.size()); }

  /// Records a read and looks for a racing write.
  Conflict read(const Access &access, uint64_t address, uint32_t count);
  /// Records a write, before the bytes change, and looks for racing accesses. `values` are the new
  /// bytes: lanes of one instruction may write the same value.
  Conflict write(const Access &access, uint64_t address, uint32_t count, const uint8_t *values);
  bool isInitialised(uint64_t address, uint32_t count) const;
  /// The first write to the range that units of `reader` need not see, for want of a `fence.proxy.async`.
  Conflict unpublished(uint32_t reader, uint64_t address, uint32_t count) const;

  /// The first write to the range that does not happen before the present access of `warp` in the block of
  /// `others`, or with `orRead` the first access.
  Conflict usedAfter(const Clocks &others, uint32_t warp, uint64_t address, uint32_t count,
                     bool orRead) const;
  /// `unpublished` for units of `reader` in that block.
  Conflict unpublishedTo(const Clocks &others, uint32_t reader, uint64_t address, uint32_t count) const;
  /// Another block writes the range: `ClusterOrder` knows when.
  void writeFromOutside(uint64_t address, uint32_t count);
  /// The access's agent, which is one of this block, writes the range; another block has set it off and
  /// looked for races.
  void fillFromOutside(const Access &access, uint64_t address, uint32_t count);

  /// Sets whether written bytes hold a value: an undefined register may pass through shared memory, as when a
  /// masked-off element changes its place in a tile, and is reported where it comes to matter.
  void setDefined(uint64_t address, uint32_t count, bool defined);
  bool isDefined(uint64_t address, uint32_t count) const;

  /// Bytes that a copy still has under way.
  void setPending(uint64_t address, uint32_t count, bool pending);
  /// The write of the first of them that the range touches.
  Conflict pending(uint64_t address, uint32_t count) const;

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

  /// Splits marks so that they fit an access.
  void refine(uint64_t address, uint32_t count);
  /// The first write to the range for which `holds` is true.
  template <typename Predicate> Conflict firstWrite(uint64_t address, uint32_t count, Predicate holds) const {
    for (uint64_t at = address >> shift; at <= (address + count - 1) >> shift; ++at)
      if (const WriteMark &write = writes[at]; holds(write))
        return {true, true, write.warp, write.stamp % 64, write.line, at << shift};
    return {};
  }

  const Clocks &clocks;
  std::vector<uint8_t> bytes;
  uint32_t shift = 2; ///< a mark stands for 1 << shift bytes
  std::vector<WriteMark> writes;
  std::vector<ReadMark> reads; ///< [mark * readers + column]; strong reads leave no mark
};

} // namespace tegula::runtime::ptx
