// Operands of warp group instructions in shared memory: `wgmma` reads a matrix where it lies, told by a
// descriptor how. The linear map of the memory *is* the descriptor: here are the maps that have one.
//
// A matrix has an axis K, along which is summed, and one of rows of a or columns of b, called W (width). One
// of the two is contiguous. In bytes, with a swizzle span of S = 32, 64 or 128:
//
//      bits 0-3                which byte of a chunk of 16
//      up to S                 which chunk of a span, along the contiguous axis
//      three bits              which of eight spans, along the other axis
//      then                    further groups of eight along the other axis
//      then                    further spans along the contiguous axis
//
// and the chunk is flipped by the span it is in, so that eight spans read at the same chunk meet eight groups
// of banks: of address bits, 7 to 9 flip 4 to 6 (S = 128), 7 and 8 flip 4 and 5 (64), 7 flips 4 (32). Eight
// spans are an *atom*; atoms start at multiples of their size.
#pragma once

#include "dialect/layout/LinearLayout.h"

#include <optional>
#include <span>
#include <vector>

namespace tegula {

/// The form of an operand in memory: its contiguous axis and the swizzle span in bytes.
struct UnitForm {
  bool kContiguous = true; ///< "K-major"; else the rows of a or columns of b are contiguous, "MN-major"
  unsigned span = 128;     ///< 32, 64 or 128
  bool operator==(const UnitForm &) const = default;
};

/// The form for an operand of `shape`, whose axis `kAxis` is K, with the widest span that it fills; nothing
/// where there is none: sides shorter than 32 bytes along the contiguous axis or than 8 elements along the
/// other one, or rows contiguous of elements that have not two bytes, which no instruction takes. With
/// `widest` the span is at most that, a part of the operand that one instruction must find whole.
std::optional<UnitForm> unitForm(std::span<const int32_t> shape, unsigned kAxis, unsigned elementBytes,
                                 bool kContiguous, unsigned widest = 128);

/// The memory map, `offset` in elements to two axes, of an operand of `shape`. Requires a form that fits.
/// \post invertible
LinearLayout unitMemory(std::span<const int32_t> shape, unsigned kAxis, unsigned elementBytes,
                        const UnitForm &form);

/// The fields of a descriptor except the address, in bytes.
struct UnitOperand {
  UnitForm form;
  uint32_t leading = 0; ///< MN-major: from one span along the width to the next; K-major: not used
  uint32_t stride = 0;  ///< from one atom to the next along the axis that is not contiguous
  /// Returns the alignment of the matrix's first byte: an atom.
  uint32_t alignment() const { return 8 * form.span; }
  /// The matrix descriptor without its address, which takes the low 14 bits in units of 16 bytes.
  uint64_t descriptor() const;
};

/// The inverse of `unitMemory`: what a unit is told that reads `memory`, whose axis `kAxis` is K; nothing
/// where it is no such map.
std::optional<UnitOperand> asUnitOperand(const LinearLayout &memory, unsigned kAxis, unsigned elementBytes);

/// The boxes by which TMA fills a memory of two axes: whole spans, one after another.
struct TmaBoxes {
  unsigned contiguous = 0; ///< the axis along which a span lies
  unsigned span = 128;     ///< bytes of a row of a box, which are swizzled like a unit's operand
  int32_t inner = 0;       ///< elements of a row
  int32_t outer = 0;       ///< rows of a box: at most 256, TMA's limit
  /// Coordinates of each box, along the contiguous axis and the other one, in the order of their bytes.
  std::vector<std::pair<int32_t, int32_t>> places;
  /// Bytes of one box, and so from one to the next.
  uint32_t boxBytes() const { return span * uint32_t(outer); }
};

/// The boxes that `memory`, a map of offsets in elements to two axes, consists of; nothing where it is laid
/// out otherwise. With `parts`, a power of two, each of so many equal parts of the memory consists of boxes:
/// nothing where these would be less than an atom.
std::optional<TmaBoxes> asTmaBoxes(const LinearLayout &memory, unsigned elementBytes, unsigned parts = 1);

/// Returns whether each of `parts` equal parts of the warps, neighbours, holds in its registers the elements
/// of the part of `memory` that has its number, and no others. `registers` maps places of threads to the axes
/// of `memory`.
bool isPartedByWarps(const LinearLayout &registers, const LinearLayout &memory, unsigned parts);

} // namespace tegula
