// Layouts of tensors in shared memory that neither the writer's nor the reader's accesses have bank conflicts
// in.
//
// The map from an element's offset to its position has three groups of bits:
//
//      segment bits            bank bits               vector bits
//      which row of 128 bytes  which bank in the row   which element of one access
//
// Two lanes collide when they meet in bank and vector bits but not in the segment. The lanes of one
// wavefront span a subspace A of tensor positions when writing and B when reading. So it is enough that
// the positions that differ in segment bits only, a subspace S, meets A and B in zero alone. Such an S
// always exists: take a complement of A + B, and pair the vectors that only A has with those that only B
// has, since a ^ b is in neither. That pairing *is* the familiar xor swizzle of a transposition; with it
// no padding is needed, and both directions are free of bank conflicts (arXiv 2505.23819, section 5).
//
// An instruction on matrices is an access of 16 bytes by other lanes (see MatrixAccess.h), so it is one more
// way for a side to do its access. Of all ways the one with the fewest instructions is taken.
#pragma once

#include "dialect/layout/LinearLayout.h"

#include <optional>

namespace tegula {

/// The most that one thread moves with one instruction.
inline constexpr unsigned MaxSharedAccessBytes = 16;

/// The kinds of moves between registers and shared memory.
enum class SharedAccessKind : uint8_t {
  Vectors,  ///< each thread moves its own elements, up to 16 bytes at a time
  Matrices, ///< likewise, or by `ldmatrix` or `stmatrix` where the layout allows
  /// Each thread copies from global memory, 16 bytes at a time if it has so many neighbours along an axis (a
  /// writer only). The memory keeps these neighbours together, in order and aligned, for each register and
  /// thread: whatever has the same coordinates except the low bits of that axis. This is no preference.
  AsyncCopy,
};

/// One side of an access: registers of threads and the instructions that may move them.
struct SharedSide {
  const LinearLayout &layout; ///< register, lane, warp to a tensor's axes
  SharedAccessKind kind = SharedAccessKind::Vectors;
  /// For copies: the most bytes of one, 4, 8 or 16.
  unsigned maxBytes = MaxSharedAccessBytes;
  /// For copies: the axis along which neighbours are next to each other in global memory; by default that of
  /// the lowest register bit.
  std::optional<unsigned> axis = std::nullopt;
};

/// Returns the memory map, `offset` in elements to the axes of `writer`, for elements of `elementBytes` (1,
/// 2, 4, 8). Both layouts are onto the same tensor. \post invertible; whatever the layouts, an access that
/// `planSharedAccess` finds is aligned; neither side has bank conflicts where no thread is inside another's
/// vector (as in no layout from `blocked` or `Fragments.h`).
LinearLayout chooseSharedLayout(const SharedSide &writer, const SharedSide &reader, unsigned elementBytes);

/// The bytes that each copy of a thread may have, at most `maxBytes`, of its neighbours along `axis` of
/// `layout`, that `memory` keeps together, in order and aligned; those of one element where it keeps none.
unsigned copyBytesInto(const LinearLayout &memory, const LinearLayout &layout, unsigned axis,
                       unsigned elementBytes, unsigned maxBytes = MaxSharedAccessBytes);

} // namespace tegula
