#include "runtime/device/SharedLoops.h"

#include "dialect/tile/LoopSharing.h"
#include "runtime/host/LaunchNumbers.h"

namespace tegula::runtime {

/// A launch apart also drains the device before the rest begins.
static constexpr uint32_t leastSavedInTail = 20;

/// Returns by how many blocks `programs` should share their loops where that has to save `least` iterations.
static uint32_t share(uint64_t programs, const KernelImage &image, std::span<const std::byte> block,
                      const DeviceProperties &device, uint32_t least) {
  const WideNumber size = valueOf(image.splits->size, image, block), step = image.splits->step;
  const WideNumber iterations = (size + step - 1) / step;
  return tile::sharingBlocks(programs, iterations, device.multiprocessors, least);
}

SharedPart partToShare(const KernelImage &image, Grid programs, std::span<const std::byte> block,
                       const DeviceProperties &device) {
  const uint64_t count = uint64_t(programs.x) * programs.y * programs.z;
  if (!image.splits || count == 0)
    return {};
  SharedPart part;
  const uint64_t places = uint64_t(image.blocksPerMultiprocessor) * device.multiprocessors;
  if (tile::areFew(count, device.multiprocessors))
    part = {programs.x, share(count, image, block, device, tile::LeastSavedIterations)};
  else if (image.splits->isIndependent && places && count > places && count == programs.x)
    part = {uint32_t(count % places), share(count % places, image, block, device, leastSavedInTail)};
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
  for (ErrorKind refusal : {ErrorKind::OutOfResources, ErrorKind::MapRefused, ErrorKind::Unavailable})
    if (launched.error().kind == refusal)
      return false;
  return launched.error();
}

} // namespace tegula::runtime
