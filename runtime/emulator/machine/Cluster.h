// A cluster: blocks that run side by side, and the barrier at which all their threads wait.
#pragma once

#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/ClusterState.h"
#include "runtime/emulator/warp/Warp.h"

#include <cstdint>
#include <span>
#include <string>

namespace tegula::runtime::ptx {

class Cluster : public ClusterState {
public:
  explicit Cluster(uint32_t size) : ClusterState(size), places(size) {}

  void blockBegins(BlockState &block, std::span<Warp> warps, uint32_t rank);
  /// All warps of the block have ended: it counts as arrived from now on.
  void blockEnds(uint32_t rank);
  bool hasEnded() const { return ended == places.size(); }

  /// A warp arrives at the barrier; with `releases` it hands on what it did.
  void arrive(Warp &warp, bool releases);
  /// A warp that has arrived waits until all have.
  void wait(Warp &warp);
  /// A warp has ended.
  void warpEnded() { tryComplete(); }
  /// The block can do nothing until the barrier completes. False where no block of the cluster can do
  /// anything.
  bool mayWait(uint32_t rank);
  /// "the barrier of its cluster, where 3 of 8 blocks have arrived"
  std::string describe() const;

private:
  struct Place {
    BlockState *block = nullptr; ///< null before it begins and once it has ended
    std::span<Warp> warps;
    bool hasBegun = false;
    bool waits = false; ///< it said so, and nothing has happened since
  };
  /// Returns whether all warps of a block that have not ended have arrived.
  bool hasArrived(const Place &place) const;
  void tryComplete();

  std::vector<Place> places;
  uint32_t ended = 0;
  uint32_t completed = 0; ///< barriers
};

} // namespace tegula::runtime::ptx
