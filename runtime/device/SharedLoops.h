// Loops whose iterations the blocks of a cluster share (`KernelImage::splits`): when a launch asks for that.
#pragma once

#include "runtime/device/Device.h"
#include "runtime/host/Pack.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tegula::runtime {

/// The last programs along x of a launch, in which clusters share the loop of each.
struct SharedPart {
  uint32_t programs = 0; ///< along x; 0: none
  uint32_t blocks = 1;   ///< of a cluster
};

/// Returns the programs of a launch whose loop, which `image.splits` describes, the blocks of a cluster
/// should share, and how many blocks: as many as the multiprocessors of `device` have room for, up to 8,
/// while they save enough iterations. These are all programs where there are few; of a persistent kernel
/// whose programs are independent those that are left over when all places have run as many as they can.
/// `block` has the parameters. More than one block `asked` for share the loops of all programs.
///
/// `form` is the kernel whose blocks share the loop, null where it is not loaded yet. The device may say how
/// many of its clusters run at once, which may be fewer than multiprocessors have room for.
SharedPart partToShare(const KernelImage &image, Grid programs, std::span<const std::byte> block,
                       const DeviceProperties &device, uint32_t asked = 1,
                       const LoadedKernel *form = nullptr);

/// A loaded kernel, and what a launch of it needs besides arguments and programs.
struct ReadyKernel {
  LoadedKernel *kernel = nullptr;
  std::span<const PackStep> steps;
  LaunchAttributes attributes;
};

/// Launches `part` of `programs` by `form`, a kernel whose loop the blocks of a cluster share. False where
/// the device has no room for the clusters, makes no tensor maps for them or has a driver that does not know
/// them: who launches does without then.
Result<bool> launchPart(Device &device, const ReadyKernel &form, SharedPart part, Grid programs,
                        std::span<const HostValue> args, Stream *stream);

/// Launches `ready` on `device`: the part of `programs` that `partToShare` gives by the form of the kernel
/// that `shared()` returns, where it returns one, and all else by itself. Errors: the device's.
template <typename Shared>
Result<void> launchInParts(Device &device, const ReadyKernel &ready, Grid programs,
                           std::span<const HostValue> args, Stream *stream, Shared shared) {
  const KernelImage &image = ready.kernel->image();
  LaunchAttributes attributes = ready.attributes;
  const uint32_t asked = std::exchange(attributes.clusterBlocks, 1);
  const PackedParams packed(image, ready.steps, args);
  const auto partWith = [&](const LoadedKernel *form) {
    return partToShare(image, programs, packed.get(), device.properties(), asked, form);
  };
  if (image.splits && !attributes.cooperative && !attributes.programmatic && partWith(nullptr).programs) {
    // First, as the rest can take its work where it cannot be.
    const ReadyKernel form = shared();
    const SharedPart part = form.kernel ? partWith(form.kernel) : SharedPart{};
    if (part.programs && TRY(launchPart(device, form, part, programs, args, stream)))
      programs.x -= part.programs;
    if (programs.x == 0)
      return {};
  }
  return device.launch(*ready.kernel, programs, packed.get(), stream, attributes);
}

} // namespace tegula::runtime
