// Races between the blocks of a launch, by plain accesses of one address, where the later block has not
// acquired what another one released: two stores of different values, and a load and a store that changes
// what is there.
#pragma once

#include "runtime/emulator/memory/Clocks.h"
#include "runtime/emulator/memory/WatchedPages.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace tegula::runtime::ptx {

class BlockRaces {
public:
  /// Blocks count from 1 in the order in which they begin.
  using BlockNumber = uint32_t;

  /// `budget` must outlive this.
  explicit BlockRaces(PageBudget &budget) : budget(budget), stores(budget), loads(budget) {}

  void beginBlock();

  /// A block as an access of it is compared with those of others.
  struct Accessor {
    BlockNumber block;
    bool ordered; ///< it comes after what the others did
    uint32_t
        mates; ///< so many blocks from the first on are a cluster, and as those have met, they are ordered
  };
  /// Records a store, before the bytes change from `old` to `values`, and looks for another block's accesses.
  Conflict write(const Access &access, const Accessor &by, uint64_t address, uint32_t count,
                 const uint8_t *old, const uint8_t *values);
  /// Records a load and looks for another block's stores. Where this is never called, loads do not count.
  Conflict read(const Access &access, const Accessor &by, uint64_t address, uint32_t count);

  /// `block` has released at `address`.
  void release(BlockNumber block, uint64_t address);
  /// Returns true if an acquire at `address` learns of a block other than `block`.
  bool releasedByOther(BlockNumber block, uint64_t address) const;

private:
  struct Store {
    BlockNumber block = 0;
    uint32_t line : 30 = 0;
    uint32_t strong : 1 = 0;
    uint32_t changed : 1 = 0; ///< `block` has stored something else than was there
  };
  /// The first and the last block to load plainly, of different clusters: a store by any block races with one
  /// of them if with any.
  struct Loads {
    struct Load {
      BlockNumber block = 0;
      uint32_t line = 0;
    };
    std::array<Load, 2> of;
  };
  Conflict racingLoad(const Accessor &by, uint64_t address, uint32_t count);

  /// In place of a block: more than one has released there.
  static constexpr BlockNumber several = 0;

  PageBudget &budget;
  WatchedPages<Store> stores;
  WatchedPages<Loads> loads;
  std::unordered_map<uint64_t, BlockNumber> released;
};

} // namespace tegula::runtime::ptx
