#include "runtime/device/SharedLoops.h"

#include "dialect/tile/LoopSharing.h"

#include <algorithm>

namespace tegula::runtime {

/// A launch apart also drains the device before the rest begins.
static constexpr uint32_t leastSavedInTail = 20;

/// Returns how many blocks with a part of a loop `device` takes at once.
static uint64_t partsOf(const KernelImage &image, const DeviceProperties &device) {
  const bool byTma = std::ranges::any_of(
      image.implicit, [](const ImplicitArgument &argument) { return argument.kind == ImplicitKind::Map; });
  return uint64_t(device.multiprocessors) *
         tile::sharingBlocksPerMultiprocessor(byTma, image.numWarps, image.sharedBytes);
}

/// Returns how many iterations each program runs.
static uint64_t iterationsOf(const KernelImage &image, std::span<const std::byte> block) {
  const WideNumber size = valueOf(image.splits->size, image, block), step = image.splits->step;
  return size > 0 ? uint64_t((size + step - 1) / step) : 0;
}

SharedPart partToShare(const KernelImage &image, Grid programs, std::span<const std::byte> block,
                       const DeviceProperties &device, uint32_t asked, const LoadedKernel *form) {
  const uint64_t count = uint64_t(programs.x) * programs.y * programs.z;
  if (!image.splits || count == 0)
    return {};
  if (asked > 1)
    return {programs.x, asked};
  const uint64_t parts = partsOf(image, device);
  const uint64_t places = uint64_t(image.blocksPerMultiprocessor) * device.multiprocessors;
  SharedPart part{programs.x, 1};
  uint32_t least = tile::LeastSavedIterations;
  if (!tile::areFew(count, parts)) {
    if (!image.splits->isIndependent || !places || count <= places || count != programs.x)
      return {};
    part.programs = uint32_t(count % places);
    least = leastSavedInTail;
  }
  const auto clusters = [&](uint32_t blocks) {
    const uint32_t resident = form ? form->residentClusters(blocks) : 0;
    return resident ? std::min<uint64_t>(resident, parts / blocks) : parts / blocks;
  };
  const uint64_t shared = uint64_t(part.programs) * programs.y * programs.z;
  part.blocks = tile::sharingBlocks(shared, iterationsOf(image, block), clusters, least);
  return part.programs && part.blocks > 1 ? part : SharedPart{};
}

Result<bool> launchPart(Device &device, const ReadyKernel &form, SharedPart part, Grid programs,
                        std::span<const HostValue> args, Stream *stream) {
  LaunchAttributes attributes = form.attributes;
  attributes.clusterBlocks = part.blocks;
  attributes.firstProgram = programs.x - part.programs;
  programs.x = part.programs;
  const PackedParams packed(form.kernel->image(), form.steps, args);
  Result<void> launched = device.launch(*form.kernel, programs, packed.get(), stream, attributes);
  if (launched)
    return true;
  if (mayDoWithoutClusters(launched.error().kind))
    return false;
  return launched.error();
}

} // namespace tegula::runtime
