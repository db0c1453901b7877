// AxisInfo: facts about the values of a tensor of integers or pointers along each axis.
//
// # The three facts
//
// Along one axis, cut the positions into aligned groups of c, a power of two: 0 to c-1, c to 2c-1, ...
//
//   contiguity   c: in each group of c the values are v, v+1, v+2, ... (pointers: steps of one element)
//   divisibility d: the first value of each group of `contiguity` is a multiple of d (pointers: bytes)
//   constancy    k: in each aligned group of k all values are equal
//
// For the offsets of a program that adds 100 rows of 8, `16 * pid + arange(0, 8)` as a tensor<8xi32>:
//
//      16p  16p+1  16p+2 ... 16p+7        contiguity 8, divisibility 16, constancy 1
//
// and for the mask `that < n`, n a multiple of 4: constancy 4, since n never falls inside a group of 4.
// Scalars have one axis of length 1.
//
// # Modulo what
//
// Integers wrap. "v+1" and "multiple of d" are meant modulo 2^32 for a value that was computed in 32 bits,
// also after it was widened. Multiples of powers of two survive that, but a run may break where the counter
// wraps. An *aligned* run never does: the break falls on a multiple of 2^32. Hence code that needs a proof (a
// vector access) uses runs no longer than what divides their start, as `alignedRun` gives them, while code
// that needs a hint (which axis is fastest) may use contiguity as it is.
#pragma once

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace tegula {

/// The facts along one axis; all are powers of two.
struct AxisFacts {
  int64_t contiguity = 1;
  int64_t divisibility = 1;
  int64_t constancy = 1;
  bool operator==(const AxisFacts &) const = default;
};

/// The largest divisibility that is told apart; that of zero.
inline constexpr int64_t MaxDivisibility = int64_t(1) << 62;

/// The largest power of two that divides `value`, at most `MaxDivisibility`.
int64_t powerOfTwoDivisor(int64_t value);

/// The facts of one value, an element of the analysis's lattice. The least element, "not computed yet",
/// has no axes.
class AxisInfo {
public:
  AxisInfo() = default;
  /// Nothing known of a value of this type.
  static AxisInfo unknown(mlir::Type type);
  /// A value of this type all of whose elements are `value`.
  static AxisInfo constantOf(mlir::Type type, int64_t value);

  bool isComputed() const { return !axes.empty(); }
  unsigned rank() const { return unsigned(axes.size()); }
  AxisFacts &operator[](unsigned axis) { return axes[axis]; }
  const AxisFacts &operator[](unsigned axis) const { return axes[axis]; }
  /// Units of divisibility from one element to the next in a run: 1, or the pointee's bytes.
  int64_t step() const { return stepSize; }
  /// The value that all elements have, sign extended, where it is known.
  std::optional<int64_t> constant() const { return value; }

  /// Returns what divides the values at the positions along `axis` that are multiples of `group`.
  int64_t divisibilityAt(unsigned axis, int64_t group) const;
  /// Returns what divides every value.
  int64_t divisibilityOfEach() const;
  /// The longest group along `axis` that is contiguous and starts at a multiple of its own length (for
  /// pointers: of its own bytes).
  int64_t alignedRun(unsigned axis) const;

  /// Returns what is true of both: the join of the lattice.
  static AxisInfo join(const AxisInfo &a, const AxisInfo &b);
  bool operator==(const AxisInfo &) const = default;
  void print(llvm::raw_ostream &os) const;

private:
  llvm::SmallVector<AxisFacts, 2> axes;
  int64_t stepSize = 1;
  std::optional<int64_t> value;
};

} // namespace tegula
