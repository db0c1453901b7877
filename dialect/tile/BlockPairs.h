// Pairs of neighbouring blocks of a persistent kernel (`tile.pairs`), which may load for each other. Plain
// numbers: code with MLIR and without needs them.
#pragma once

#include <cstdint>

namespace tegula::tile {

/// The blocks of a pair, a cluster.
inline constexpr uint32_t BlocksOfPair = 2;

} // namespace tegula::tile
