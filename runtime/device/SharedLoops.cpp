#include "runtime/device/SharedLoops.h"

#include "dialect/tile/LoopSharing.h"
#include "runtime/host/LaunchNumbers.h"

#include <algorithm>

namespace tegula::runtime {

/// A launch apart also drains the device before the rest begins.
static constexpr uint32_t leastSavedInTail = 20;
/// Two such blocks fit on a multiprocessor, which has 64 Ki registers and, with clusters, 227 KiB of shared
/// memory.
static constexpr uint32_t mostWarpsOfTwo = 4, mostSharedOfTwo = 112 * 1024;

/// Returns how many blocks with a part of a loop `device` takes at once. Where threads copy what they
/// multiply they mostly wait, and a second block is computed meanwhile: of 139×1945×5753 on an H100 1.4 times
/// as fast. Where TMA copies, a second block gains nothing. Blocks of four warps have room for that, whatever
/// their registers.
static uint64_t partsOf(const KernelImage &image, const DeviceProperties &device) {
  const bool byThreads = std::ranges::none_of(
      image.implicit, [](const ImplicitArgument &argument) { return argument.kind == ImplicitKind::Map; });
  const bool haveRoom = image.numWarps <= mostWarpsOfTwo && image.sharedBytes <= mostSharedOfTwo;
  return uint64_t(device.multiprocessors) * (byThreads && haveRoom ? 2 : 1);
}

/// Returns by how many blocks `programs` should share their loops where that has to save `least` iterations.
static uint32_t share(uint64_t programs, const KernelImage &image, std::span<const std::byte> block,
                      const DeviceProperties &device, uint32_t least) {
  const WideNumber size = valueOf(image.splits->size, image, block), step = image.splits->step;
  const WideNumber iterations = (size + step - 1) / step;
  return tile::sharingBlocks(programs, iterations, partsOf(image, device), least);
}

SharedPart partToShare(const KernelImage &image, Grid programs, std::span<const std::byte> block,
                       const DeviceProperties &device, uint32_t asked) {
  const uint64_t count = uint64_t(programs.x) * programs.y * programs.z;
  if (!image.splits || count == 0)
    return {};
  if (asked > 1)
    return {programs.x, asked};
  SharedPart part;
  const uint64_t places = uint64_t(image.blocksPerMultiprocessor) * device.multiprocessors;
  if (tile::areFew(count, partsOf(image, device)))
    part = {programs.x, share(count, image, block, device, tile::LeastSavedIterations)};
  else if (image.splits->isIndependent && places && count > places && count == programs.x)
    part = {uint32_t(count % places), share(count % places, image, block, device, leastSavedInTail)};
  return part.programs && part.blocks > 1 ? part : SharedPart{};
}

SharedPart atOnce(SharedPart part, Grid programs, const LoadedKernel &form) {
  const uint64_t needed = uint64_t(part.programs) * programs.y * programs.z;
  for (; part.blocks > 1; part.blocks /= 2)
    if (const uint32_t clusters = form.residentClusters(part.blocks); clusters == 0 || needed <= clusters)
      break;
  return part;
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
