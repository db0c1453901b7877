#include "runtime/device/Device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

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

/// Programs, or blocks where each program has one of its own.
static Result<void> checkGrid(const KernelImage &image, Grid grid, const DeviceProperties &limits) {
  static constexpr const char *names[] = {"x", "y", "z"};
  const uint32_t sides[] = {grid.x, grid.y, grid.z};
  for (int axis = 0; axis < 3; ++axis) {
    const bool shares = axis == 0 && image.programsPerBlock > 1;
    if (sides[axis] == 0)
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("cannot launch `{}`: expected at least 1 {} in {}, found 0", image.entry,
                               shares ? "program" : "block", names[axis])};
    const uint64_t limit = uint64_t(limits.maxGrid[axis]) * (shares ? image.programsPerBlock : 1);
    if (sides[axis] > limit)
      return exceeded(image, fmt::format("{} in {}", shares ? "programs" : "blocks", names[axis]).c_str(),
                      limit, sides[axis]);
  }
  return {};
}

static Result<void> checkBlock(const KernelImage &image, const DeviceProperties &limits) {
  if (image.numWarps == 0)
    return Error{
        ErrorKind::InvalidArgument,
        fmt::format("cannot launch `{}`: expected at least 1 warp in a block, found 0", image.entry)};
  if (image.programsPerBlock != 1 && image.programsPerBlock != image.numWarps)
    return Error{
        ErrorKind::InvalidArgument,
        fmt::format("cannot launch `{}`: expected 1 program in a block, or one for each of its {} warps, "
                    "found {}",
                    image.entry, image.numWarps, image.programsPerBlock)};
  const uint64_t threads = uint64_t(image.numWarps) * limits.warpSize;
  if (threads > limits.maxThreadsPerBlock)
    return exceeded(image, "threads in a block", limits.maxThreadsPerBlock, threads);
  if (image.sharedBytes > limits.maxSharedPerBlock)
    return exceeded(image, "bytes of shared memory in a block", limits.maxSharedPerBlock, image.sharedBytes);
  return {};
}

uint64_t entryParamBytes(const KernelImage &image) {
  if (image.programsPerBlock <= 1)
    return image.paramBytes;
  return (uint64_t(image.paramBytes) + 3) / 4 * 4 + 4;
}

Result<void> Device::launch(LoadedKernel &kernel, Grid grid, std::span<const std::byte> params,
                            Stream *stream) {
  const KernelImage &image = kernel.image();
  const DeviceProperties &limits = properties();
  if (Result<void> checked = checkBlock(image, limits); !checked)
    return checked;
  if (Result<void> checked = checkGrid(image, grid, limits); !checked)
    return checked;
  if (params.size() != image.paramBytes)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("cannot launch `{}`: expected {} bytes of parameters, found {}", image.entry,
                             image.paramBytes, params.size())};
  if (image.programsPerBlock == 1)
    return launchChecked(kernel, grid, params, stream);
  // Every device copies the parameters before it returns. Few kernels have more than these; the others may
  // pay for an allocation.
  std::array<std::byte, 512> few{};
  std::vector<std::byte> many;
  std::span<std::byte> all = few;
  const uint64_t bytes = entryParamBytes(image);
  if (bytes > few.size()) {
    many.resize(bytes);
    all = many;
  }
  std::copy(params.begin(), params.end(), all.begin());
  std::memcpy(&all[bytes - 4], &grid.x, 4);
  grid.x = uint32_t((uint64_t(grid.x) + image.programsPerBlock - 1) / image.programsPerBlock);
  return launchChecked(kernel, grid, all.first(bytes), stream);
}

} // namespace tegula::runtime
