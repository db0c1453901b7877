#include "runtime/emulator/warp/LaunchContext.h"

namespace tegula::runtime::ptx {

/// 32 MiB of global memory, at seven bytes a byte for the races of a block, and for those between blocks two for
/// what they store and four for what they load.
/// A launch that touches more is watched in part.
static constexpr size_t maxWatchedPages = size_t(32) << (20 - 10);

LaunchContext::LaunchContext(SpinDetector *shared)
    : watched{maxWatchedPages}, watchedBetweenBlocks{maxWatchedPages}, blockRaces(watchedBetweenBlocks),
      spins(shared ? *shared : ownSpins) {}

} // namespace tegula::runtime::ptx
