// Loops whose iterations the blocks of a cluster share (`KernelImage::splits`): when a launch asks for that.
#pragma once

#include "runtime/device/Device.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tegula::runtime {

/// The last programs along x of a launch, in which clusters share the loop of each.
struct SharedPart {
  uint32_t programs = 0; ///< along x; 0: none
  uint32_t blocks = 1;   ///< of a cluster
};

/// Returns the programs of a launch whose loop, which `image.splits` describes, the blocks of a cluster
/// should share, and how many blocks: as many as the multiprocessors of `device` have room for, up to 8,
/// while each saves enough iterations. These are all programs where there are few; of a persistent kernel
/// whose programs are independent those that are left over when all places have run as many as they can.
/// `block` has the parameters.
SharedPart partToShare(const KernelImage &image, Grid programs, std::span<const std::byte> block,
                       const DeviceProperties &device);

/// Returns whether a launch whose blocks share their loops failed for want of something that one without
/// needs less of, or not: room for the clusters, tensor maps, a driver that knows them.
bool mayLaunchUnshared(const Error &error);

} // namespace tegula::runtime
