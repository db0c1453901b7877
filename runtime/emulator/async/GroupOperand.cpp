#include "runtime/emulator/async/GroupOperand.h"

#include "runtime/emulator/warp/Access.h"

#include <fmt/format.h>

#include <cstring>

namespace tegula::runtime::ptx {

static constexpr uint32_t rowsOfAtom = 8;

GroupOperand::GroupOperand(uint64_t descriptor) {
  const auto distance = [descriptor](unsigned bit) {
    return uint32_t(descriptor >> bit & 0x3fff) * chunkBytes;
  };
  start = distance(0);
  leading = distance(16);
  stride = distance(32);
  baseOffset = uint32_t(descriptor >> 49 & 7);
  mode = uint32_t(descriptor >> 62);
  span = mode == 0 ? chunkBytes : 256u >> mode;
}

uint64_t GroupOperand::chunk(uint32_t across, uint32_t along, bool kContiguous) const {
  uint64_t address = start + uint64_t(across % rowsOfAtom) * span + along % span;
  // The two distances: between groups of eight rows and between spans. They change places.
  const uint64_t groups = across / rowsOfAtom, spans = along / span;
  if (mode == 0)
    address += kContiguous ? groups * stride + spans * leading : groups * leading + spans * stride;
  else
    address += groups * stride + spans * (kContiguous ? span : leading);
  const uint64_t flipped = span / chunkBytes - 1;
  return address ^ ((address >> 7 & flipped) << 4);
}

std::string GroupOperand::obstacle(bool kContiguous) const {
  if (baseOffset)
    return fmt::format("a base offset of {}: atoms must be aligned to their size", baseOffset);
  const uint32_t atom = rowsOfAtom * span;
  // Steps along K within a span move the start, and so do whole atoms.
  const uint32_t inAtom = start % atom;
  if (mode != 0 && inAtom >= (kContiguous ? span : 1))
    return fmt::format("a start at {:#x}: with a swizzle over {} bytes atoms are aligned to {}", start, span,
                       atom);
  if (mode == 0 && !kContiguous)
    return "rows contiguous without swizzle, which is not modelled";
  return {};
}

/// Reads the 16 bytes at `address`; false after a fault.
static bool readChunk(Warp &warp, uint64_t address, uint8_t *bytes) {
  SharedMemory &shared = warp.block->shared;
  if (address + chunkBytes > shared.size())
    return warp.refuse(wholeWarp,
                       "a matrix descriptor reaches {:#x} to {:#x} of shared memory, the block has "
                       "{:#x} bytes",
                       address, address + chunkBytes, shared.size());
  const Target target = sharedTarget(warp, address);
  if (!beforeUnitRead(warp, wholeWarp, target, chunkBytes, "wgmma"))
    return false;
  std::memcpy(bytes, target.bytes, chunkBytes);
  return true;
}

bool readGroupOperand(Warp &warp, uint64_t descriptor, bool kContiguous, uint32_t bytes, uint32_t first,
                      GroupElements &elements) {
  const GroupOperand operand(descriptor);
  if (const std::string obstacle = operand.obstacle(kContiguous); !obstacle.empty())
    return warp.refuse(wholeWarp, "a matrix descriptor with {}", obstacle);
  const uint32_t width = elements.width, k = elements.k, each = chunkBytes / bytes;
  elements.bits.assign(size_t(width) * k, 0);
  elements.undefined.assign(width, false);
  const uint32_t across = kContiguous ? width : k, along = kContiguous ? k : width;
  for (uint32_t row = 0; row < across; ++row)
    for (uint32_t column = 0; column < along; column += each) {
      const uint32_t acrossAt = row + (kContiguous ? first : 0), alongAt = column + (kContiguous ? 0 : first);
      const uint64_t address = operand.chunk(acrossAt, alongAt * bytes, kContiguous);
      uint8_t chunk[chunkBytes];
      if (!readChunk(warp, address, chunk))
        return false;
      elements.chunks.push_back(uint32_t(address));
      const bool isDefined = warp.block->shared.isDefined(address, chunkBytes);
      for (uint32_t i = 0; i < each; ++i) {
        const uint32_t w = kContiguous ? row : column + i, depth = kContiguous ? column + i : row;
        std::memcpy(&elements.bits[size_t(w) * k + depth], chunk + i * bytes, bytes);
        if (!isDefined)
          elements.undefined[w] = true;
      }
    }
  return true;
}

} // namespace tegula::runtime::ptx
