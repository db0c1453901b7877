// The blocks of a cluster, as their accesses see each other, and addresses in their shared memory.
#pragma once

#include <cstdint>
#include <vector>

namespace tegula::runtime::ptx {

class BlockState;

/// The rank of a block stands in the high bits of an address of `mapa`; one more, as an address without is in
/// the block's own memory.
inline constexpr unsigned clusterAddressBits = 24;

struct ClusterState {
  struct Member {
    BlockState *block = nullptr; ///< null before it begins; it stays until all have ended
    bool hasEnded = false;
  };
  explicit ClusterState(uint32_t size) : members(size) {}
  std::vector<Member> members; ///< by rank
};

} // namespace tegula::runtime::ptx
