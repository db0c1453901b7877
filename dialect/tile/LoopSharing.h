// The blocks of a cluster that share the loop of a program (`tile.splits`): how many there may be, and how
// many a launch should take. Plain numbers: code with MLIR and without needs them.
#pragma once

#include <cstdint>

namespace tegula::tile {

/// The most blocks that share a loop: every device with clusters makes them of so many.
inline constexpr uint32_t MaxSharingBlocks = 8;

/// Returns whether a kernel may ask for clusters of so many blocks: 2, 4 or 8, as `num_ctas` of Triton is a
/// power of two and rows are shared in halves. A launch that is not asked takes any number up to 8.
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
/// device that runs `clusters(blocks)` clusters of so many blocks at once; 1 for none. All clusters run at
/// once, as those left over would take as long as all others together, and sharing saves `least` iterations.
///
/// The blocks have ceil(iterations / blocks) each, the last one what is left, and the largest number that
/// there is room for may leave the last ones nothing: 33 iterations are 5 each of eight blocks or of seven.
/// Returned is the smallest number with the same longest part.
template <typename Clusters>
constexpr uint32_t sharingBlocks(uint64_t programs, uint64_t iterations, Clusters clusters,
                                 uint32_t least = LeastSavedIterations) {
  uint32_t most = MaxSharingBlocks;
  while (most > 1 && (iterations < uint64_t(most) * LeastSharedIterations || programs > clusters(most)))
    --most;
  const uint64_t longest = (iterations + most - 1) / most;
  return most > 1 && iterations - longest >= least ? uint32_t((iterations + longest - 1) / longest) : 1;
}

/// Returns how many blocks that share loops a multiprocessor should have at once, two or one. Where
/// threads copy what they multiply they mostly wait, and a second block is computed meanwhile: of
/// 139×1945×5753 on an H100 1.4 times as fast. Where TMA copies, a second block gains nothing. Blocks of four
/// warps have room for that, whatever their registers, with half of the 227 KiB of shared memory that a
/// multiprocessor with clusters has.
constexpr uint32_t sharingBlocksPerMultiprocessor(bool byTma, uint32_t warps, uint64_t sharedBytes) {
  return !byTma && warps <= 4 && sharedBytes <= 112 * 1024 ? 2 : 1;
}

/// Returns whether `programs` are so few that a launch of them leaves multiprocessors for others to share
/// their loops.
constexpr bool areFew(uint64_t programs, uint64_t multiprocessors) { return programs * 2 <= multiprocessors; }

} // namespace tegula::tile
