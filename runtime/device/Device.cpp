#include "runtime/device/Device.h"

#include <fmt/format.h>

namespace tegula::runtime {

// The anchors: each vtable is emitted here and nowhere else.
LoadedKernel::~LoadedKernel() = default;
Stream::~Stream() = default;
Event::~Event() = default;
Device::~Device() = default;

static Error exceeded(const KernelImage &image, const char *what, uint64_t limit, uint64_t found) {
  return {ErrorKind::OutOfResources, fmt::format("cannot launch `{}`: expected at most {} {}, found {}",
                                                 image.entry, limit, what, found)};
}

static Result<void> checkGrid(const KernelImage &image, Grid grid, const DeviceProperties &limits) {
  static constexpr const char *names[] = {"x", "y", "z"};
  const uint32_t sides[] = {grid.x, grid.y, grid.z};
  for (int axis = 0; axis < 3; ++axis) {
    if (sides[axis] == 0)
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("cannot launch `{}`: expected at least 1 block in {}, found 0", image.entry,
                               names[axis])};
    if (sides[axis] > limits.maxGrid[axis])
      return exceeded(image, fmt::format("blocks in {}", names[axis]).c_str(), limits.maxGrid[axis],
                      sides[axis]);
  }
  return {};
}

Result<void> Device::launch(LoadedKernel &kernel, Grid grid, std::span<const std::byte> params,
                            Stream *stream) {
  const KernelImage &image = kernel.image();
  const DeviceProperties &limits = properties();
  if (Result<void> checked = checkGrid(image, grid, limits); !checked)
    return checked;
  if (image.numWarps == 0)
    return Error{
        ErrorKind::InvalidArgument,
        fmt::format("cannot launch `{}`: expected at least 1 warp in a block, found 0", image.entry)};
  const uint64_t threads = uint64_t(image.numWarps) * limits.warpSize;
  if (threads > limits.maxThreadsPerBlock)
    return exceeded(image, "threads in a block", limits.maxThreadsPerBlock, threads);
  if (image.sharedBytes > limits.maxSharedPerBlock)
    return exceeded(image, "bytes of shared memory in a block", limits.maxSharedPerBlock, image.sharedBytes);
  if (params.size() != image.paramBytes)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("cannot launch `{}`: expected {} bytes of parameters, found {}", image.entry,
                             image.paramBytes, params.size())};
  return launchChecked(kernel, grid, params, stream);
}

} // namespace tegula::runtime
