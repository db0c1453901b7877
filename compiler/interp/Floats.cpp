#include "compiler/interp/Floats.h"

#include <bit>
#include <cmath>
#include <limits>

namespace tegula::interp {

namespace {

/// An IEEE format of 16 bits.
struct Format {
  int exponentBits, fractionBits;
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  int leastExponent() const { return 1 - bias(); }
};
constexpr Format half{5, 10}, brain{8, 7};

double decode(Format format, uint64_t bits) {
  const int field = int(bits >> format.fractionBits) & ((1 << format.exponentBits) - 1);
  const uint64_t fraction = bits & ((uint64_t(1) << format.fractionBits) - 1);
  double value;
  if (field == (1 << format.exponentBits) - 1)
    value = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (field == 0)
    value = std::ldexp(double(fraction), format.leastExponent() - format.fractionBits);
  else
    value = std::ldexp(double(fraction | uint64_t(1) << format.fractionBits),
                       field - format.bias() - format.fractionBits);
  return bits >> 15 & 1 ? -value : value;
}

uint64_t encode(Format format, double value, bool towardZero) {
  if (std::isnan(value))
    return 0x7fff;
  const uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  const uint64_t infinity = uint64_t((1 << format.exponentBits) - 1) << format.fractionBits;
  const double magnitude = std::fabs(value);
  if (magnitude == 0)
    return sign;
  if (std::isinf(value))
    return sign | infinity;
  const int exponent = std::max(std::ilogb(magnitude), format.leastExponent());
  // As a number of units in the last place, which std::nearbyint rounds to even.
  const double units = std::ldexp(magnitude, format.fractionBits - exponent);
  const uint64_t rounded = uint64_t(towardZero ? std::trunc(units) : std::nearbyint(units));
  // A carry out of the fraction counts the exponent up by itself, as it does out of the subnormals.
  const uint64_t bits = rounded < uint64_t(1) << format.fractionBits
                            ? rounded
                            : (uint64_t(exponent + format.bias() - 1) << format.fractionBits) + rounded;
  if (bits >= infinity)
    return sign | (towardZero ? infinity - 1 : infinity);
  return sign | bits;
}

uint64_t encodeSingle(double value, bool towardZero) {
  if (std::isnan(value))
    return 0x7fffffff;
  float rounded = float(value);
  if (towardZero && std::fabs(double(rounded)) > std::fabs(value))
    rounded = std::nextafterf(rounded, 0.0f);
  return std::bit_cast<uint32_t>(rounded);
}

/// a + b, its last digit odd where digits get lost.
double addToOdd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  const double shadow = sum - a; // Knuth's TwoSum: `error` is what the sum lost
  const double error = (a - (sum - shadow)) + (b - shadow);
  if (error == 0 || std::bit_cast<uint64_t>(sum) & 1)
    return sum;
  return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

} // namespace

double decodeFloat(Element::Kind kind, uint64_t bits) {
  switch (kind) {
  case Element::Float16:
    return decode(half, bits);
  case Element::BFloat16:
    return double(std::bit_cast<float>(uint32_t(bits) << 16));
  case Element::Float32:
    return double(std::bit_cast<float>(uint32_t(bits)));
  default:
    return std::bit_cast<double>(bits);
  }
}

uint64_t encodeFloat(Element::Kind kind, double value, bool towardZero) {
  switch (kind) {
  case Element::Float16:
    return encode(half, value, towardZero);
  case Element::BFloat16:
    return encode(brain, value, towardZero);
  case Element::Float32:
    return encodeSingle(value, towardZero);
  default:
    return std::isnan(value) ? 0x7fffffffffffffff : std::bit_cast<uint64_t>(value);
  }
}

uint64_t fusedMultiplyAdd(Element::Kind kind, double a, double b, double c) {
  if (kind == Element::Float64)
    return encodeFloat(kind, std::fma(a, b, c));
  // The product of two smaller floats is exact in double.
  return encodeFloat(kind, addToOdd(a * b, c));
}

double roundToOdd(uint64_t magnitude, bool negative) {
  constexpr int digits = std::numeric_limits<double>::digits;
  const int lost = 64 - std::countl_zero(magnitude) - digits;
  if (lost > 0) {
    const uint64_t tail = magnitude & ((uint64_t(1) << lost) - 1);
    magnitude -= tail;
    if (tail)
      magnitude |= uint64_t(1) << lost;
  }
  return negative ? -double(magnitude) : double(magnitude);
}

} // namespace tegula::interp
