// Accesses of a block's shared memory by the other blocks of its cluster. Barriers of the cluster alone order
// them:
//
//     a block's writes    |    others read    |    the block's next writes
//                      barrier             barrier
//
// What a warp wrote before it arrived at a barrier may be read by any warp that has waited there. What a warp
// read of another block before it arrived may be overwritten by that block's warps that have waited there.
#pragma once

#include "runtime/emulator/memory/SharedMemory.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tegula::runtime::ptx {

class ClusterOrder {
public:
  /// All must outlive this; the clocks are configured.
  ClusterOrder(Clocks &clocks, const SharedMemory &shared) : clocks(clocks), shared(shared) {}
  /// Called once the clocks have begun the block.
  void beginBlock();

  /// A warp has arrived at the barrier; with `releases` what it did before comes before what follows the
  /// barrier.
  void arrive(uint32_t warp, bool releases);
  /// All have arrived.
  void complete();
  /// A warp has waited for the barrier.
  void pass(uint32_t warp);
  uint32_t arrivals(uint32_t warp) const { return warps[warp].arrivals; }
  uint32_t passages(uint32_t warp) const { return warps[warp].passages; }

  /// A warp of block `rank` that has arrived at barriers `arrivals` times reads bytes of this block: the
  /// first write of them that no barrier separates from it.
  Conflict read(uint32_t rank, uint32_t arrivals, uint32_t line, uint64_t address, uint32_t count);
  /// A warp of this block writes: the first of the bytes that another block may still read.
  Conflict write(uint32_t warp, uint64_t address, uint32_t count) const;

private:
  struct WarpState {
    uint32_t arrivals = 0, passages = 0;
  };
  /// The last read by another block; ordered before what follows the barrier with that number.
  struct Read {
    uint32_t barrier = 0, rank = 0, line = 0;
  };
  static constexpr uint64_t granule = 4; ///< bytes to a read

  Clocks &clocks;
  const SharedMemory &shared;
  std::vector<WarpState> warps;
  Clocks::Clock pending, published; ///< of arrivals at this barrier and before, and before the last
  std::unordered_map<uint64_t, Read> reads;
};

} // namespace tegula::runtime::ptx
