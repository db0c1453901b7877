#include "compiler/spec/SmallFloat.h"

#include <bit>
#include <cmath>
#include <limits>

namespace tegula {

namespace {

/// A double: 11 bits of exponent, 52 of fraction.
constexpr int DoubleFraction = 52, DoubleBias = 1023, DoubleExponents = 0x7ff;

/// 2^exponent, for exponents of numbers that are not subnormal.
double powerOfTwo(int exponent) {
  return std::bit_cast<double>(uint64_t(exponent + DoubleBias) << DoubleFraction);
}

/// The code of a finite number, which may be beyond the largest.
uint64_t rounded(const SmallFloat &format, uint64_t bits, SmallRounding rounding) {
  const int exponent = int(bits >> DoubleFraction & DoubleExponents);
  uint64_t significand = bits & ((uint64_t(1) << DoubleFraction) - 1);
  int target = exponent - DoubleBias + format.bias, shift = DoubleFraction - format.fraction;
  if (target <= 0) { // subnormal: the leading one is written out and moves right
    significand |= uint64_t(1) << DoubleFraction;
    shift += 1 - target;
    target = 0;
  }
  if (exponent == 0 || shift > DoubleFraction + 2)
    return 0;
  const uint64_t half = uint64_t(1) << (shift - 1), rest = significand & (2 * half - 1);
  const uint64_t kept = significand >> shift;
  const bool tieGoesUp = rounding == SmallRounding::ToNearestAway || (kept & 1);
  const bool goesUp = rounding != SmallRounding::TowardZero && (rest > half || (rest == half && tieGoesUp));
  // A carry out of the fraction rightly raises the exponent.
  return (uint64_t(target) << format.fraction) + kept + goesUp;
}

} // namespace

double SmallFloat::valueOf(uint16_t bits) const {
  const uint64_t magnitude = bits & (signBit() - 1), field = magnitude >> fraction;
  double value;
  if (magnitude >= infinity || (hasNoMinusZero() && bits == nan))
    value = hasInfinity && magnitude == infinity ? std::numeric_limits<double>::infinity()
                                                 : std::numeric_limits<double>::quiet_NaN();
  else if (field == 0)
    value = double(magnitude) * powerOfTwo(1 - bias - fraction);
  else
    value = std::bit_cast<double>((magnitude << (DoubleFraction - fraction)) +
                                  (uint64_t(DoubleBias - bias) << DoubleFraction));
  return bits & signBit() ? -value : value;
}

uint16_t SmallFloat::bitsOf(double value, SmallRounding rounding) const {
  if (std::isnan(value))
    return nan;
  const uint64_t beyond = saturates ? largest : infinity;
  uint64_t code = beyond;
  if (!std::isinf(value)) {
    code = rounded(*this, std::bit_cast<uint64_t>(value), rounding);
    if (code > largest)
      code = rounding == SmallRounding::TowardZero ? largest : beyond;
  }
  const bool isNegative = std::signbit(value) && (code != 0 || !hasNoMinusZero());
  return uint16_t(code | (isNegative ? signBit() : 0));
}

const SmallFloat &smallFloat(ScalarKind kind) {
  static constexpr SmallFloat half{5, 10, 15, 0x7bff, 0x7c00, true, false, 0x7e00},
      bfloat{8, 7, 127, 0x7f7f, 0x7f80, true, false, 0x7fc0}, e4m3{4, 3, 7, 0x7e, 0x7f, false, true, 0x7f},
      e5m2{5, 2, 15, 0x7b, 0x7c, true, true, 0x7f},
      e4b15{4, 3, 15, 0x7e, 0x80, false, true, 0x7e, SmallRounding::ToNearestAway},
      e4b8{4, 3, 8, 0x7f, 0x80, false, true, 0x80}, e5b16{5, 2, 16, 0x7f, 0x80, false, true, 0x80};
  switch (kind) {
  case ScalarKind::Float16:
    return half;
  case ScalarKind::BFloat16:
    return bfloat;
  case ScalarKind::Float8E4M3:
    return e4m3;
  case ScalarKind::Float8E5M2:
    return e5m2;
  case ScalarKind::Float8E4B15:
    return e4b15;
  case ScalarKind::Float8E4B8:
    return e4b8;
  default:
    return e5b16;
  }
}

} // namespace tegula
