#include "runtime/device/SharedLoops.h"

#include "runtime/host/LaunchNumbers.h"

namespace tegula::runtime {

/// The most blocks of a cluster that every device with clusters runs.
static constexpr uint32_t mostBlocks = 8;
/// A block fills its pipeline, and all wait for each other and add up their sums. On an H100 that takes some
/// three microseconds, as much as ten iterations of a usual tile by 64: fewer that are saved do not pay for
/// it.
static constexpr uint32_t leastIterations = 4, leastSaved = 10;

uint32_t blocksToShareLoop(const KernelImage &image, Grid programs, std::span<const std::byte> block,
                           const DeviceProperties &device) {
  if (!image.splits)
    return 1;
  const uint64_t blocks = uint64_t(programs.x) * programs.y * programs.z;
  if (blocks == 0 || blocks * 2 > device.multiprocessors)
    return 1;
  const WideNumber size = valueOf(image.splits->size, image, block), step = image.splits->step;
  const WideNumber iterations = (size + step - 1) / step;
  uint32_t share = mostBlocks;
  while (share > 1 && (blocks * share > device.multiprocessors || iterations < share * leastIterations ||
                       iterations - iterations / share < leastSaved))
    share /= 2;
  return share;
}

bool mayLaunchUnshared(const Error &error) {
  return error.kind == ErrorKind::OutOfResources || error.kind == ErrorKind::MapRefused ||
         error.kind == ErrorKind::Unavailable;
}

} // namespace tegula::runtime
