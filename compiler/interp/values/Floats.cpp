#include "compiler/interp/values/Floats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tegula::interp {

namespace {

/// A format of 8 or 16 bits. Its largest exponent is that of infinities and NaNs, as IEEE has it, or else
/// that of numbers, of which the last is the NaN.
struct Format {
  int exponentBits, fractionBits;
  bool hasInfinity = true;
  bool saturates = false;
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  int leastExponent() const { return 1 - bias(); }
  uint64_t sign() const { return uint64_t(1) << (exponentBits + fractionBits); }
  uint64_t nan() const { return sign() - 1; }
  uint64_t infinity() const { return uint64_t((1 << exponentBits) - 1) << fractionBits; }
  uint64_t greatest() const { return (hasInfinity ? infinity() : nan()) - 1; }
};
constexpr Format half{5, 10}, brain{8, 7}, e4m3{4, 3, false, true}, e5m2{5, 2, true, true};

double decode(Format format, uint64_t bits) {
  const int field = int(bits >> format.fractionBits) & ((1 << format.exponentBits) - 1);
  const uint64_t fraction = bits & ((uint64_t(1) << format.fractionBits) - 1);
  const uint64_t magnitude = bits & (format.sign() - 1);
  double value;
  if (magnitude > format.greatest())
    value = format.hasInfinity && magnitude == format.infinity() ? std::numeric_limits<double>::infinity()
                                                                 : std::numeric_limits<double>::quiet_NaN();
  else if (field == 0)
    value = std::ldexp(double(fraction), format.leastExponent() - format.fractionBits);
  else
    value = std::ldexp(double(fraction | uint64_t(1) << format.fractionBits),
                       field - format.bias() - format.fractionBits);
  return bits & format.sign() ? -value : value;
}

uint64_t encode(Format format, double value, bool towardZero) {
  if (std::isnan(value))
    return format.nan();
  const uint64_t sign = std::signbit(value) ? format.sign() : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0)
    return sign;
  if (std::isinf(value))
    return sign | (format.saturates ? format.greatest() : format.infinity());
  const int exponent = std::max(std::ilogb(magnitude), format.leastExponent());
  // As a number of units in the last place, which std::nearbyint rounds to even.
  const double units = std::ldexp(magnitude, format.fractionBits - exponent);
  const uint64_t rounded = uint64_t(towardZero ? std::trunc(units) : std::nearbyint(units));
  // A carry out of the fraction counts the exponent up by itself, as it does out of the subnormals.
  const uint64_t bits = rounded < uint64_t(1) << format.fractionBits
                            ? rounded
                            : (uint64_t(exponent + format.bias() - 1) << format.fractionBits) + rounded;
  if (bits > format.greatest())
    return sign | (format.saturates || towardZero ? format.greatest() : format.infinity());
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
  case Element::Float8E4M3:
    return decode(e4m3, bits);
  case Element::Float8E5M2:
    return decode(e5m2, bits);
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
  case Element::Float8E4M3:
    return encode(e4m3, value, towardZero);
  case Element::Float8E5M2:
    return encode(e5m2, value, towardZero);
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

uint32_t roundToTf32(uint32_t bits) {
  constexpr uint32_t infinity = 0x7f800000, lost = 0x1fff, halfOfLast = 0x1000;
  // A carry out of the fraction counts the exponent up by itself, to infinity at last.
  return (bits & infinity) == infinity ? bits : (bits + halfOfLast) & ~lost;
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
