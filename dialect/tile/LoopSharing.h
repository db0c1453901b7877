// The blocks of a cluster that share the loop of a program (`tile.splits`): how many there may be, and how
// many a launch should take. Plain numbers: code with MLIR and without needs them.
#pragma once

#include <cstdint>

namespace tegula::tile {

/// The most blocks that share a loop: every device with clusters makes them of so many.
inline constexpr uint32_t MaxSharingBlocks = 8;

/// Returns whether so many blocks may share a loop: 2, 4 or 8.
constexpr bool mayShare(int64_t blocks) {
  return blocks >= 2 && blocks <= int64_t(MaxSharingBlocks) && (blocks & (blocks - 1)) == 0;
}

/// Returns how many blocks share a loop where a program asks for so many (`num_ctas`); 1 for none.
constexpr uint32_t sharingAskedBy(uint32_t ctas) {
  return ctas >= 8 ? MaxSharingBlocks : ctas >= 4 ? 4 : ctas >= 2 ? 2 : 1;
}

/// The iterations that each block has at least, which fill its pipeline, and those that sharing must save:
/// all wait for each other then and add up their sums. On an H100 that takes some three microseconds, as much
/// as ten iterations of a usual tile by 64.
inline constexpr uint32_t LeastSharedIterations = 4, LeastSavedIterations = 10;

/// Returns how many blocks should share the loop of each of `programs`, of which each runs `iterations`, on a
/// device with `multiprocessors`, where that has to save `least` iterations; 1 for none.
template <typename Number>
constexpr uint32_t sharingBlocks(uint64_t programs, Number iterations, uint64_t multiprocessors,
                                 uint32_t least = LeastSavedIterations) {
  uint32_t blocks = MaxSharingBlocks;
  while (blocks > 1 && (programs * blocks > multiprocessors || iterations < blocks * LeastSharedIterations ||
                        iterations - iterations / blocks < least))
    blocks /= 2;
  return blocks;
}

/// Returns whether `programs` are so few that a launch of them leaves multiprocessors for others to share
/// their loops.
constexpr bool areFew(uint64_t programs, uint64_t multiprocessors) { return programs * 2 <= multiprocessors; }

} // namespace tegula::tile
