// Loops whose iterations the blocks of a cluster share (`KernelImage::splits`): when a launch asks for that.
#pragma once

#include "runtime/device/Device.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tegula::runtime {

/// Returns how many blocks of a cluster should share out the loop that `image.splits` describes in a launch
/// of `programs` with the parameters in `block`: as many as the multiprocessors of `device` have room for, up
/// to 8, while each has some iterations; 1 where it has no such loop.
uint32_t blocksToShareLoop(const KernelImage &image, Grid programs, std::span<const std::byte> block,
                           const DeviceProperties &device);

/// Returns whether a launch whose blocks share their loops failed for want of something that one without
/// needs less of, or not: room for the clusters, tensor maps, a driver that knows them.
bool mayLaunchUnshared(const Error &error);

} // namespace tegula::runtime
