// The order that strong accesses (atomics, volatile, relaxed, acquire, release) make between the warps of a
// block, through the places that they access, and between blocks.
#pragma once

#include "runtime/emulator/memory/BlockRaces.h"
#include "runtime/emulator/memory/Clocks.h"

#include <cstdint>
#include <unordered_map>

namespace tegula::runtime::ptx {

class StrongOrder {
public:
  /// Both must outlive this; `clocks` is configured.
  StrongOrder(Clocks &clocks, BlockRaces &blocks)
      : clocks(clocks), blocks(blocks), handedOut(clocks.emptyClock()) {}

  /// The block is the `number`th to begin; called once the clocks have begun it.
  void beginBlock(BlockRaces::BlockNumber number);
  /// The clocks have restarted.
  void restart();

  /// A strong read by `warp`; places of shared and of global memory have different addresses.
  void read(uint32_t warp, uint64_t address, bool isGlobal, bool acquires);
  /// A strong write. The caller ticks once the instruction is done.
  void write(uint32_t warp, uint64_t address, bool isGlobal, bool releases);
  /// The caller ticks.
  void fence(uint32_t warp);
  /// The block comes after what other blocks did, as one of its cluster does, by their barrier.
  void followOthers() { afterOthers = true; }
  /// Returns true if the block has acquired what another block released.
  bool isAfterOthers() const { return afterOthers; }

private:
  /// The block comes after what other blocks did before they released.
  void learnFromOthers(uint32_t warp);

  Clocks &clocks;
  BlockRaces &blocks;
  BlockRaces::BlockNumber block = 0;
  std::unordered_map<uint64_t, Clocks::Clock> places;
  /// Everything that any warp has released to global memory: a warp that learns from another block may learn
  /// all of it, for that block may have learned it from here.
  Clocks::Clock handedOut;
  bool sawOthers = false; ///< a relaxed read of what another block released
  bool afterOthers = false;
};

} // namespace tegula::runtime::ptx
