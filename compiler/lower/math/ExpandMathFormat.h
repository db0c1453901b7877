// Facts about the two float formats for the expansions, and scaling by powers of two.
#pragma once

#include "compiler/lower/math/ExpandMathBuilder.h"
#include "compiler/lower/math/coefficients/Coefficients.h"

namespace tegula::expandmath {

/// IEEE binary32 and binary64.
template <int Bits> struct Format;

template <> struct Format<32> {
  static constexpr int mantissa = 23;
  static constexpr int bias = 127;
  static constexpr double smallestNormal = 0x1p-126;
  /// Added to x, rounds it to an integer, which is in the low bits of the sum; the constant has none there.
  static constexpr double roundMagic = 0x1.8p23;
  static constexpr uint64_t roundMagicBits = 0x4b400000;
  static constexpr uint64_t sqrtHalfBits = 0x3f3504f3;
  static constexpr uint64_t signBit = 0x80000000;
  /// Below this f(x) = x + O(x^2) or x + O(x^3) rounds to x.
  static constexpr double tiny = 0x1p-25;
};

template <> struct Format<64> {
  static constexpr int mantissa = 52;
  static constexpr int bias = 1023;
  static constexpr double smallestNormal = 0x1p-1022;
  static constexpr double roundMagic = 0x1.8p52;
  static constexpr uint64_t roundMagicBits = 0x4338000000000000;
  static constexpr uint64_t sqrtHalfBits = 0x3fe6a09e667f3bcd;
  static constexpr uint64_t signBit = 0x8000000000000000;
  static constexpr double tiny = 0x1p-54;
};

/// Calls a template of the width: `byWidth(x, []<int B>(Expr x) { return log<B>(x); })`.
template <typename Function> auto byWidth(Expr x, Function function) {
  return x.bits() == 32 ? function.template operator()<32>(x) : function.template operator()<64>(x);
}

/// 2^n for an integer n of the format's width; the result is normal.
template <int Bits> Expr powerOfTwo(Expr n, mlir::Type floatElement) {
  using F = Format<Bits>;
  return fromBits(shiftLeft(n + F::bias, F::mantissa), floatElement);
}

/// x * 2^n, rounded once, for x near 1 and any result: subnormal, zero, infinite.
template <int Bits> Expr scale(Expr x, Expr n) {
  // In two steps, for 2^n itself may be out of range; the first step is exact.
  Expr first = shiftRightSigned(n, 1);
  return x * powerOfTwo<Bits>(first, x.element()) * powerOfTwo<Bits>(n - first, x.element());
}

/// x rounded to an integer, |x| < 2^22 (2^51 in f64).
struct Rounded {
  Expr asFloat;
  /// An integer of which the low half has the right bits; those above mean something else.
  Expr lowBits;
};

/// Rounds x * factor to nearest.
template <int Bits> Rounded roundProduct(Expr x, double factor) {
  Expr sum = fma(x, factor, Format<Bits>::roundMagic);
  return {sum - Format<Bits>::roundMagic, toBits(sum)};
}

template <int Bits> Expr toInteger(Rounded n) { return n.lowBits - Format<Bits>::roundMagicBits; }

/// Negative by its sign bit: -0 too.
inline Expr isNegative(Expr x) { return toBits(x) < 0; }

} // namespace tegula::expandmath
