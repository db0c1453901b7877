// An operand of `wgmma` in shared memory: where the elements are that a matrix descriptor describes.
//
// A descriptor (PTX, "matrix descriptor format") holds in units of 16 bytes the start address (bits 0-13),
// the leading (16-29) and the stride (32-45) distance, a base offset (49-51), and the swizzle mode (62-63).
// The matrix is made of atoms: eight rows of a span of 128, 64, 32 or, without swizzle, 16 bytes along the
// contiguous axis. With K contiguous, `stride` leads to the next eight rows, and `leading`, without swizzle,
// to the next 16 bytes of K. With the rows contiguous, `stride` leads to the next eight of K and `leading` to
// the next span of rows. Bits 7 to 9 of an address then flip bits 4 to 6, as many as the mode has chunks in a
// span.
#pragma once

#include "runtime/emulator/memory/UnitReads.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tegula::runtime::ptx {

class Warp;

/// A decoded matrix descriptor, distances in bytes.
struct GroupOperand {
  explicit GroupOperand(uint64_t descriptor);

  uint32_t start, leading, stride;
  uint32_t baseOffset, mode;
  uint32_t span; ///< bytes of a row of an atom

  /// Returns the address of the 16 bytes that hold `across`, a row of eight to an atom, and `along`, bytes
  /// along the contiguous axis, a multiple of 16.
  uint64_t chunk(uint32_t across, uint32_t along, bool kContiguous) const;
  /// Why no such matrix can be read; empty if one can.
  std::string obstacle(bool kContiguous) const;
};

/// The elements of one operand of one instruction.
struct GroupElements {
  uint32_t width = 0, k = 0;    ///< rows of A or columns of B, and depth
  std::vector<uint32_t> bits;   ///< [w * k + depth]
  std::vector<bool> undefined;  ///< a row or column that has an undefined element
  std::vector<uint32_t> chunks; ///< addresses of the 16 bytes that were read
};

/// Reads `width` by `k` elements of `bytes` through `descriptor`, from row `first` on. Faults where a byte
/// cannot be read: outside of the block's memory, under way, in a race, not published. False after a fault.
bool readGroupOperand(Warp &warp, uint64_t descriptor, bool kContiguous, uint32_t bytes, uint32_t first,
                      GroupElements &elements);

} // namespace tegula::runtime::ptx
