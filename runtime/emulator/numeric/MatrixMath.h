// The arithmetic of matrix units: D = A * B + C of one instruction, on operands that are already values.
//
// Products of narrow floating-point types are exact. All of them and the accumulator are aligned to the
// largest exponent among them, cut to 25 bits behind the binary point of that exponent (towards zero), added
// without further loss, and the sum is rounded once: towards zero to single precision, to the nearest for a
// half accumulator. The exponent of a product is the sum of its operands' exponents, whether or not the
// product of their significands reaches 2; a subnormal operand has the exponent of the smallest normal
// number. Overflow gives infinity; NaNs, infinity times zero and infinities of both signs give the one NaN of
// the format.
//
// Hopper has no unit for mma.sync of 8-bit floats. Its assembler unpacks them to halves, two of a register's
// four at a time, and emits two products of halves and an addition:
//
//   d = product(lower halves of the registers: k % 4 < 2, from 0)
//   d = product(upper halves of the registers: k % 4 >= 2, from d)
//   d = c + d                                           to nearest, in the type of the accumulator
#pragma once

#include "runtime/emulator/numeric/Numeric.h"

#include <cstdint>

namespace tegula::runtime::ptx {

/// The elements of A and B.
enum class MatrixElement : uint8_t { F16, BF16, TF32, E4M3, E5M2, S8, U8, F64 };

inline constexpr unsigned matrixRows = 16, matrixColumns = 8, matrixDepth = 32; ///< the most of M, N and K

/// Operands of narrow floating-point types: values, and the exponents that align their products.
struct FusedOperands {
  alignas(64) double a[matrixRows][matrixDepth];
  double b[matrixDepth][matrixColumns];
  double c[matrixRows][matrixColumns]; ///< C before, D after
  int16_t aExponent[matrixRows][matrixDepth];
  int16_t bExponent[matrixDepth][matrixColumns];
  bool special = false; ///< A or B has an infinity or a NaN
};

/// D of a 16 x 8 x `depth` product, rounded to `to`, which is `half` or `single`.
void multiplyFused(FusedOperands &operands, unsigned depth, const Format &to);

/// Returns the place of element `k` of K of 8-bit floats in `FusedOperands`: lower halves of registers come
/// first.
constexpr unsigned placeOfEight(unsigned k, unsigned depth) {
  return k / 4 * 2 + k % 2 + (k % 4 < 2 ? 0 : depth / 2);
}

/// The same for 8-bit floats, whose elements of K stand at `placeOfEight`.
void multiplyEights(FusedOperands &operands, unsigned depth, const Format &to);

/// The same as `wgmma` computes it, for `eights` with elements of 8 bits, which its unit multiplies itself
/// and aligns to fewer bits.
void multiplyForGroup(FusedOperands &operands, unsigned depth, bool eights, const Format &to);

/// Operands of 8-bit integers, as floats: the products of one instruction and their sum are exact in them.
struct IntegerOperands {
  alignas(64) float a[matrixRows][matrixDepth];
  float b[matrixDepth][matrixColumns];
  int32_t c[matrixRows][matrixColumns]; ///< C before, D after
};

/// D of a `rows` x 8 x `depth` product; a sum outside of 32 bits wraps, or with `saturates` is clamped.
void multiplyIntegers(IntegerOperands &operands, unsigned rows, unsigned depth, bool saturates);

struct DoubleOperands {
  double a[matrixRows][matrixDepth];
  double b[matrixDepth][matrixColumns];
  uint64_t c[matrixRows][matrixColumns]; ///< bits of C before, of D after
};

/// D of a `rows` x 8 x `depth` product: one fused multiply-add after the other, by ascending k. Of several
/// NaNs that of B comes before that of the sum and that before that of A, and what an invalid operation made
/// last.
void multiplyDoubles(DoubleOperands &operands, unsigned rows, unsigned depth, Rounding rounding);

} // namespace tegula::runtime::ptx
