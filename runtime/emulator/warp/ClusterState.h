// The blocks of a cluster, as their accesses see each other, and addresses in their shared memory.
#pragma once

#include <cstdint>
#include <vector>

namespace tegula::runtime::ptx {

class BlockState;

/// `mapa` writes the rank of a block into the high bits of an address of 32: one more, as an address without
/// is the own block's.
inline constexpr unsigned clusterAddressBits = 24;

struct ClusterState {
  explicit ClusterState(uint32_t size) : blocks(size) {}
  std::vector<BlockState *> blocks; ///< by rank; null before a block has begun, and once it has ended
};

} // namespace tegula::runtime::ptx
