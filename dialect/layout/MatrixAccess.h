// Moves between shared memory and the registers of a warp by `ldmatrix` or `stmatrix`.
//
// One instruction moves one, two or four matrices of eight rows, each row 16 contiguous bytes. Lanes play two
// parts. As holders, lane l has 32 bits of row l / 4 of each matrix, those at 4 * (l % 4); with `.trans`, for
// elements of 16 bits, the two elements of column l / 4 in rows 2 * (l % 4) and 2 * (l % 4) + 1. As givers of
// addresses, lane l names where row l % 8 of matrix l / 8 begins. So, in bits:
//
//                      holder                                address
//      plain    bytes  in the word, lane 0, lane 1           16 bytes at once
//               row    lane 2, lane 3, lane 4                lane 0, lane 1, lane 2
//      trans    bytes  lane 2, lane 3, lane 4                16 bytes at once
//               row    in the word, lane 0, lane 1           lane 0, lane 1, lane 2
//      both     matrix any two bits of the register          lane 3, lane 4
//
// Seen from the banks it is an access of 16 bytes by each lane at the address that it gives.
#pragma once

#include "dialect/layout/LinearLayout.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tegula {

/// The size of one row of a matrix.
inline constexpr unsigned MatrixRowBytes = 16;

/// One warp's registers as matrices.
struct MatrixAccess {
  bool transposed = false;
  /// The register bits that number the elements of one 32-bit word, low ones first.
  std::vector<unsigned> wordBits;
  /// The register bits that number the matrices of one instruction: none, one or two.
  std::vector<unsigned> matrixBits;
  /// Packed positions (see `LinearLayout::column`) of the bits of an element's number in its row.
  std::vector<uint64_t> row;
  /// Packed positions that each bit of the address-giving lane means.
  std::vector<uint64_t> lanes;
};

/// Returns how registers, lanes and warps of `layout` could be moved as matrices with elements of
/// `elementBytes`, if memory were such that each `row` is contiguous in its order. Nothing where lanes are no
/// rows whatever the memory (elements of 8 bytes, or of other than 2 where `transposed`; too few registers;
/// lanes with copies in a row).
std::optional<MatrixAccess> asMatrices(const LinearLayout &layout, unsigned elementBytes, bool transposed);

/// Returns how registers at known places of shared memory are moved as matrices, plain where possible:
/// `offsets` maps register, lane and warp to `offset`, in elements. Nothing where they cannot be.
/// \post rows are contiguous: `row == {1, 2, 4, ...}`, and each begins at a multiple of 16 bytes.
std::optional<MatrixAccess> matricesAt(const LinearLayout &offsets, unsigned elementBytes);

} // namespace tegula
