// Floating-point formats and exact rounding between them.
//
// The idea: every operation on half, bfloat or single operands is first computed in double rounded
// *to odd* (an inexact result gets its last bit set). A double so rounded keeps the information a
// second rounding needs, so rounding it again, to any format of at most 51 bits in any direction, is
// the correctly rounded result of the exact value. Double itself uses the host's rounding modes.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace tegula::runtime::ptx {

/// PTX's .rn .rz .rm .rp, and .rna (to nearest, ties away from zero).
enum class Rounding : uint8_t { Nearest, Zero, Down, Up, NearestAway };

/// A binary interchange format: `precision` bits of significand with the hidden one, and the
/// exponent of the smallest normal number. `bits` is the width with sign.
struct Format {
  int precision;
  int minExponent;
  int bits;
  uint64_t nan; ///< the NaN that operations return

  constexpr uint64_t infinity() const { return ((uint64_t(1) << (bits - precision)) - 1) << (precision - 1); }
  constexpr uint64_t sign() const { return uint64_t(1) << (bits - 1); }
  constexpr bool isNan(uint64_t value) const { return (value & (sign() - 1)) > infinity(); }
  constexpr bool isSubnormal(uint64_t value) const {
    return (value & infinity()) == 0 && (value & (sign() - 1)) != 0;
  }
  constexpr bool operator==(const Format &) const = default;
};

inline constexpr Format half{11, -14, 16, 0x7fff};
inline constexpr Format bfloat{8, -126, 16, 0x7fff};
inline constexpr Format single{24, -126, 32, 0x7fffffff};
/// tf32 in its own 19 bits; PTX keeps it in the upper bits of a 32-bit register.
inline constexpr Format tensorFloat{11, -126, 19, 0x3ffff};
inline constexpr Format doubleFormat{53, -1022, 64, 0x7fffffffffffffff};

/// The bits of (-1)^`negative` * `significand` * 2^`exponent` rounded to `format`. The significand is
/// not zero. Exact for any inputs; overflow gives infinity or the largest number as `rounding` says.
uint64_t packRounded(bool negative, uint64_t significand, int exponent, const Format &format,
                     Rounding rounding);

/// `value` rounded to `format`; NaN becomes the format's NaN.
uint64_t roundTo(double value, const Format &format, Rounding rounding);

/// The value of `bits` in `format`, exactly. A NaN becomes a NaN.
double toDouble(uint64_t bits, const Format &format);

/// An integer of 64 bits rounded to `format`.
uint64_t integerTo(bool negative, uint64_t magnitude, const Format &format, Rounding rounding);

/// `value` rounded to an integral value in the given direction (never NearestAway).
double roundToIntegral(double value, Rounding rounding);

inline float asFloat(uint64_t bits) { return std::bit_cast<float>(uint32_t(bits)); }
inline uint64_t bitsOfFloat(float value) { return std::bit_cast<uint32_t>(value); }
inline double asDouble(uint64_t bits) { return std::bit_cast<double>(bits); }
inline uint64_t bitsOfDouble(double value) { return std::bit_cast<uint64_t>(value); }

/// Moves an inexact `rounded` whose exact value lies on the side of `error` to the neighbour with an
/// odd last bit. `rounded` is finite, and not zero unless `error` is zero.
inline double makeOdd(double rounded, double error) {
  const uint64_t bits = bitsOfDouble(rounded);
  if (error == 0 || (bits & 1))
    return rounded;
  return asDouble((error > 0) == (rounded > 0) ? bits + 1 : bits - 1);
}

/// a + b rounded to odd. The operands are far from double's limits (they come from narrower formats).
inline double addToOdd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  const double part = sum - a;
  return makeOdd(sum, (a - (sum - part)) + (b - part));
}

/// a / b rounded to odd, for operands of narrower formats.
inline double divideToOdd(double a, double b) {
  const double quotient = a / b;
  if (!std::isfinite(quotient) || quotient == 0 || std::isinf(b))
    return quotient;
  const double remainder = std::fma(-quotient, b, a);
  return makeOdd(quotient, b > 0 ? remainder : -remainder);
}

/// sqrt(a) rounded to odd, for an operand of a narrower format.
inline double sqrtToOdd(double a) {
  const double root = std::sqrt(a);
  if (!std::isfinite(root) || root == 0)
    return root;
  return makeOdd(root, std::fma(-root, root, a));
}

/// The sign that an exact sum of zero takes: IEEE gives +0 unless rounding is down, but equal signs stay.
inline double fixZeroSum(double sum, double a, double b, Rounding rounding) {
  if (sum != 0 || (a == 0 && b == 0 && std::signbit(a) == std::signbit(b)))
    return sum;
  return rounding == Rounding::Down ? -0.0 : 0.0;
}

/// Zero of the same sign for a subnormal of `format`, else `bits` itself.
constexpr uint64_t flushSubnormal(uint64_t bits, const Format &format) {
  return format.isSubnormal(bits) ? bits & format.sign() : bits;
}

/// The arithmetic of floats.
enum class FloatOp : uint8_t { Add, Subtract, Multiply, Fma, Divide, Sqrt, Reciprocal, Min, Max, Abs, Neg };
/// The bits of a double-precision operation, up to `Sqrt`, in a direction of rounding, by the host's own
/// modes. Unlike single precision, an operand that is a NaN comes back quiet, with its sign and payload; an
/// invalid operation gives the negative default NaN.
uint64_t doubleInMode(FloatOp op, uint64_t a, uint64_t b, uint64_t c, Rounding rounding);
/// `result` unless an operand is a NaN, which comes back quiet.
inline uint64_t doubleResult(double result, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
  constexpr uint64_t quiet = uint64_t(1) << 51, invalid = 0xfff8000000000000;
  if (result == result)
    return bitsOfDouble(result);
  for (const uint64_t operand : {a, b, c})
    if (doubleFormat.isNan(operand))
      return operand | quiet;
  return invalid;
}
/// The NaN `bits` in another format: sign and the upper bits of the payload stay, and it is quiet.
uint64_t convertNan(uint64_t bits, const Format &from, const Format &to);

} // namespace tegula::runtime::ptx
