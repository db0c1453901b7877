// LinearLayout: where every element of a tensor lives, as one linear map over bits.
//
// # The question
//
// A block program computes on whole tensors; the machine computes with registers of threads. Something
// has to say, for each register of each lane of each warp, which element of the tensor it holds. Row
// and column blocks, matrix-unit fragments, slices of these, swizzled shared memory: each has its own
// formula with divisions and remainders. Sides are powers of two, though, so every such formula only
// moves, copies or xors *bits*. That is the whole idea: write the numbers in binary and the formula
// becomes a matrix of zeros and ones, with xor as addition.
//
// # A worked example
//
// 8 lanes of 2 registers hold a tensor of 4 rows by 4 columns; each thread holds two neighbours in a
// row, and two lanes share a row:
//
//              column 0   1      2   3                 in bit        (row, column)
//      row 0      T0:0 T0:1   T1:0 T1:1                register 0      (0, 1)
//      row 1      T2:0 T2:1   T3:0 T3:1                lane 0          (0, 2)
//      row 2      T4:0 T4:1   T5:0 T5:1                lane 1          (1, 0)
//      row 3      T6:0 T6:1   T7:0 T7:1                lane 2          (2, 0)
//
// The table on the right is the layout: each *input bit* has a *basis*, the coordinate that it means.
// Any other place is the xor of the bases of its one bits. Lane 5 is binary 101, so it starts at
// (2, 0) ^ (0, 2) = (2, 2), and its register 1 is at (2, 2) ^ (0, 1) = (2, 3): T5:1 above. In text:
//
//      {register = [[0, 1]], lane = [[0, 2], [1, 0], [2, 0]]} : [4, 4]
//
// and as a matrix, one column for each input bit and one row for each output bit:
//
//                  r0 l0 l1 l2
//      column 0  [  1  .  .  .  ]
//      column 1  [  .  1  .  .  ]
//      row 0     [  .  .  1  .  ]
//      row 1     [  .  .  .  1  ]
//
// # What that buys
//
//  - *Broadcast.* A zero basis: the bit changes nothing, so two places hold the same element.
//  - *Swizzle.* A basis with several ones: `(1, 2)` moves down a row and flips bit 1 of the column.
//  - *Conversion.* If A and B say where two layouts keep things, `invertAndCompose(A, B)` says, for
//    each place of A, which place of B holds the same element. Whether that is a renaming of
//    registers, a shuffle within the warp or a round trip through shared memory is read off the matrix.
//  - *Slices, reshapes, transpositions* drop, regroup or reorder rows of the matrix.
//  - *Tiling* is the product: `a * b` puts copies of a at the places that b names.
//
// One type and one set of laws serve them all. The concept is that of arXiv 2505.23819.
//
// # Order
//
// The lists of inputs and of outputs are ordered. Wherever several axes are read as one number
// (`reshapeIns`, `packIn`, ...), *the first listed axis is the fastest*. Coordinates of a row-major
// tensor are listed dim0, dim1, ..., so flattening it in row-major order takes a `transposeOuts` first.
#pragma once

#include "dialect/layout/Dim.h"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tegula {

/// An axis and the number of bits that its positions take: `size() == 2^bits`.
struct DimBits {
  Dim dim;
  unsigned bits;
  int32_t size() const { return int32_t(1) << bits; }
  bool operator==(const DimBits &) const = default;
};

/// A position along one axis.
struct Coord {
  Dim dim;
  int32_t value;
  bool operator==(const Coord &) const = default;
};

/// An input axis as a user writes it: one basis for each bit, each with one number an output axis.
struct InputBases {
  Dim dim;
  std::vector<std::vector<int32_t>> bases;
};

/// An output axis as a user writes it.
struct OutputSize {
  Dim dim;
  int32_t size;
};

/// A linear map over bits from positions on input axes to positions on output axes.
///
/// A value type; every operation returns a new layout. Equality compares axes, their order and all
/// bases. An operation asserts what its caller can see to be true ("Requires"); it returns nothing
/// where the answer depends on the map itself. Below `L(x)` is the position that L maps x to.
class LinearLayout {
public:
  /// The largest number of input bits, and of output bits, that the algebra handles.
  static constexpr unsigned MaxBits = 63;
  /// The largest number that `tryCreate` accepts, low enough that any product of two still fits.
  static constexpr unsigned MaxUserBits = 30;

  /// The map without axes: the unit of the product.
  LinearLayout() = default;

  /// The layout with these inputs and outputs. `error`, when given, receives why there is none:
  /// a repeated axis, a size that is no power of two, a basis of the wrong length or out of range, or
  /// more than `MaxUserBits` bits. For text that a user wrote; nothing here asserts.
  static std::optional<LinearLayout>
  tryCreate(std::span<const InputBases> ins, std::span<const OutputSize> outs, std::string *error = nullptr);

  /// The layout with the given packed columns, one for each input bit in order (see `column`).
  /// Requires as many columns as input bits, no column beyond the output bits, and no axis twice.
  static LinearLayout fromColumns(std::vector<DimBits> ins, std::vector<DimBits> outs,
                                  std::vector<uint64_t> columns);

  /// `L(in = i) == (out = i)` for `i < size`. Requires a power of two.
  static LinearLayout identity1D(int32_t size, Dim in, Dim out);
  /// `L(in = i) == (out = 0)`, the output being `outSize` long. Requires powers of two.
  static LinearLayout zeros1D(int32_t size, Dim in, Dim out, int32_t outSize = 1);
  /// `L(in = i) == (out = i * stride)`, the output being `size * stride` long. Requires powers of two.
  static LinearLayout strided1D(int32_t size, int32_t stride, Dim in, Dim out);

  // Properties.

  const std::vector<DimBits> &ins() const { return inDims; }
  const std::vector<DimBits> &outs() const { return outDims; }
  bool hasIn(Dim dim) const;
  bool hasOut(Dim dim) const;
  /// Bits of an axis; 0 for one that is absent, as an axis of size 1 and none at all say the same.
  unsigned inBits(Dim dim) const;
  unsigned outBits(Dim dim) const;
  int32_t inSize(Dim dim) const { return int32_t(1) << inBits(dim); }
  int32_t outSize(Dim dim) const { return int32_t(1) << outBits(dim); }
  unsigned totalInBits() const { return unsigned(columns.size()); }
  unsigned totalOutBits() const;

  /// Returns where bit `bit` of `in` moves along `out`. Requires both axes and `bit < inBits(in)`.
  int32_t basis(Dim in, unsigned bit, Dim out) const;
  /// Returns that basis on all outputs in packed form: the first output in the lowest bits.
  uint64_t column(Dim in, unsigned bit) const;
  /// Returns all columns, the bits of the first input first.
  std::span<const uint64_t> allColumns() const { return columns; }

  // Applying it.

  /// `L(x)`, in the order of `outs()`. Requires a position below its size for axes of `ins()` only;
  /// an axis left out is at 0.
  std::vector<Coord> apply(std::span<const Coord> position) const;
  std::vector<Coord> apply(std::initializer_list<Coord> position) const {
    return apply(std::span<const Coord>(position.begin(), position.size()));
  }
  /// `L(x)` with both sides packed into one word: the fast form.
  uint64_t applyPacked(uint64_t position) const;
  /// Positions to a word and back, the first axis in the lowest bits.
  uint64_t packIn(std::span<const Coord> position) const;
  std::vector<Coord> unpackIn(uint64_t word) const;
  std::vector<Coord> unpackOut(uint64_t word) const;
  /// The part of a packed output position that belongs to `dim`.
  int32_t unpackOut(uint64_t word, Dim dim) const;

  // Correspondences.

  /// The dimension of the image: `2^rank()` distinct positions are reached.
  unsigned rank() const;
  bool isSurjective() const { return rank() == totalOutBits(); }
  bool isInjective() const { return rank() == totalInBits(); }
  bool isInvertible() const { return isSurjective() && isInjective(); }

  /// The bits of `in` that do not affect the output: `L(x) == L(x ^ bit)` for all x.
  int32_t freeVariableMask(Dim in) const;

  // Algebra.

  /// `next ∘ this`: `R(x) == next(L(x))`. Requires that `next.ins()` are the axes of `outs()`, in any
  /// order, each at least as long.
  LinearLayout compose(const LinearLayout &next) const;

  /// \post `R(L(x)) == x` and `L(R(y)) == y`. Nothing when L is not invertible.
  std::optional<LinearLayout> invert() const;

  /// Returns a right inverse. \post `L(R(y)) == y`; an output bit that one input bit alone reaches comes from
  /// that bit (the first such) alone; redundant inputs stay 0, save those preferred by that rule. Nothing
  /// when L is not surjective.
  std::optional<LinearLayout> pseudoInvert() const;

  /// The product, tiling: copies of a at the places that b names. Every axis of the result has the
  /// bits of a below those of b: `R(xa + 2^inBits(a) xb) == a(xa) + 2^outBits(a) b(xb)` on each axis.
  /// An axis that one of them lacks has size 1 there. Axes come in the order of a, then the rest of b.
  /// \post associative, with `LinearLayout()` as its unit.
  friend LinearLayout operator*(const LinearLayout &a, const LinearLayout &b);

  /// This layout without `dims`, if it maps each of them to itself and nothing else to or from them.
  std::optional<LinearLayout> quotient(std::span<const Dim> dims) const;

  // Reading the same map otherwise.

  /// The same axes in another order. Requires a permutation of the axes.
  LinearLayout transposeIns(std::span<const Dim> order) const;
  LinearLayout transposeOuts(std::span<const Dim> order) const;
  /// The axes read as one number, first axis fastest, and cut anew. Requires the same number of bits.
  LinearLayout reshapeIns(std::vector<DimBits> newIns) const;
  LinearLayout reshapeOuts(std::vector<DimBits> newOuts) const;
  /// An output axis under another name. Requires that `from` exists and `to` does not.
  LinearLayout renameOut(Dim from, Dim to) const;

  /// Only these axes, in this order: other inputs at 0, other outputs forgotten. Requires that they exist.
  LinearLayout sublayout(std::span<const Dim> inDims, std::span<const Dim> outDims) const;
  /// `dim` without the bits that do not affect the output; the others move together.
  LinearLayout removeZeroBases(Dim dim) const;
  /// An input axis cut to its low bits, or lengthened by bits that do not affect the output. An absent
  /// axis is appended. Requires a power of two.
  LinearLayout resizeIn(Dim dim, int32_t size) const;
  /// An output axis cut to its low bits (positions wrap), or lengthened by positions that are
  /// not reached. An absent axis is appended. Requires a power of two.
  LinearLayout resizeOut(Dim dim, int32_t size) const;

  bool operator==(const LinearLayout &) const = default;
  size_t hash() const;

  /// `{register = [[1], [2]], lane = [[4]], block = []} : [8]`. Outputs other than dim0, dim1, ... in
  /// order are named: `[offset = 8]`.
  std::string toString() const;

private:
  std::vector<DimBits> inDims, outDims;
  std::vector<uint64_t> columns; ///< one packed output position for each input bit
};

/// Returns for each place of `a` a place of `b` with the same element: the C with `b(C(x)) == a(x)`, from the
/// inputs of a to the inputs of b. Nothing when b does not reach all that a reaches. If several places of b
/// qualify, an input bit that means the same in both (same axis and number, same basis) stays itself, so that
/// what is already in place does not move; other bits follow `pseudoInvert`. Requires the same outputs, in
/// any order.
std::optional<LinearLayout> invertAndCompose(const LinearLayout &a, const LinearLayout &b);

} // namespace tegula
