// Races between the blocks of a launch: two of them store plainly to one address, the values differ, and the
// later one has not acquired what another block released.
#pragma once

#include "runtime/emulator/memory/Clocks.h"
#include "runtime/emulator/memory/WatchedPages.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace tegula::runtime::ptx {

class BlockRaces {
public:
  /// Blocks count from 1 in the order in which they begin.
  using BlockNumber = uint32_t;

  /// `budget` must outlive this.
  explicit BlockRaces(PageBudget &budget) : budget(budget), stores(budget) {}

  void beginBlock();

  /// Records a store of `block`, before the bytes change from `old` to `values`, and looks for another
  /// block's. With `ordered` the block comes after what the others did; each `mates` blocks from the first on
  /// are a cluster, of which those that have met at a barrier count as ordered.
  Conflict write(const Access &access, BlockNumber block, bool ordered, uint32_t mates, uint64_t address,
                 uint32_t count, const uint8_t *old, const uint8_t *values);

  /// `block` has released at `address`.
  void release(BlockNumber block, uint64_t address);
  /// Returns true if an acquire at `address` learns of a block other than `block`.
  bool releasedByOther(BlockNumber block, uint64_t address) const;

private:
  struct Store {
    BlockNumber block = 0;
    uint32_t line : 31 = 0;
    uint32_t strong : 1 = 0;
  };
  /// In place of a block: more than one has released there.
  static constexpr BlockNumber several = 0;

  PageBudget &budget;
  WatchedPages<Store> stores;
  std::unordered_map<uint64_t, BlockNumber> released;
};

} // namespace tegula::runtime::ptx
