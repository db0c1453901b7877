// A cluster: blocks that run side by side, and the barrier at which all their threads wait.
#pragma once

#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/ClusterState.h"
#include "runtime/emulator/warp/Warp.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tegula::runtime::ptx {

class Cluster : public ClusterState {
public:
  explicit Cluster(uint32_t size) : ClusterState(size), warpsOf(size), turns(size), waits(size) {}

  void blockBegins(BlockState &block, std::span<Warp> warps, uint32_t rank);
  /// All warps of the block have ended. It stays where it is until `hasEnded`.
  void blockEnds(uint32_t rank);
  bool hasEnded() const { return ended == members.size(); }

  /// A warp arrives at the barrier; with `releases` it hands on what it did.
  void arrive(Warp &warp, bool releases);
  /// A warp that has arrived waits until all have.
  void wait(Warp &warp);
  /// A warp has ended: it counts as arrived from now on.
  void warpEnded() { tryComplete(); }
  /// The block can do nothing until the barrier completes. False where no block of the cluster can do
  /// anything.
  bool mayWait(uint32_t rank);
  /// "the barrier of its cluster, where 3 of 8 blocks have arrived"
  std::string describe() const;
  /// Returns the rank of a block that the barrier waits for: `rank` itself, or else the first of the others.
  std::optional<uint32_t> missing(uint32_t rank) const;

private:
  /// Counts how often a warp has arrived and waited.
  struct Turns {
    uint32_t arrivals = 0, passages = 0;
  };
  Turns &turnsOf(const Warp &warp) { return turns[warp.block->rank()][warp.index]; }
  /// The warp has waited for the last barrier.
  void pass(Warp &warp);
  /// Returns true if all warps of a block that have not ended have arrived.
  bool hasArrived(uint32_t rank) const;
  uint32_t arrivedBlocks() const;
  void tryComplete();

  std::vector<std::span<Warp>> warpsOf;  ///< by rank
  std::vector<std::vector<Turns>> turns; ///< by rank and warp
  /// The clocks that the last barrier hands on, and the next one will. No warp is further behind: the next
  /// one waits for all of them.
  Clocks::Clock last, pending;
  bool areAfterOthers = false; ///< a block has acquired what one of another cluster released
  std::vector<bool> waits;     ///< the block has said so, and nothing has happened since
  uint32_t ended = 0;          ///< blocks
  uint32_t completed = 0;      ///< barriers
};

} // namespace tegula::runtime::ptx
