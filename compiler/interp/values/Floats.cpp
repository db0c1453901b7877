#include "compiler/interp/values/Floats.h"

#include "compiler/spec/SmallFloat.h"

#include <bit>
#include <cmath>
#include <limits>

namespace tegula::interp {

namespace {

/// The format of a float of 8 or 16 bits.
const SmallFloat &formatOf(Element::Kind kind) {
  switch (kind) {
  case Element::Float8E4M3:
    return smallFloat(ScalarKind::Float8E4M3);
  case Element::Float8E5M2:
    return smallFloat(ScalarKind::Float8E5M2);
  case Element::Float16:
    return smallFloat(ScalarKind::Float16);
  default:
    return smallFloat(ScalarKind::BFloat16);
  }
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
  if (kind == Element::Float64)
    return std::bit_cast<double>(bits);
  if (kind == Element::Float32)
    return double(std::bit_cast<float>(uint32_t(bits)));
  return formatOf(kind).valueOf(uint16_t(bits));
}

uint64_t encodeFloat(Element::Kind kind, double value, bool towardZero) {
  if (kind == Element::Float64)
    return std::isnan(value) ? 0x7fffffffffffffff : std::bit_cast<uint64_t>(value);
  if (kind == Element::Float32)
    return encodeSingle(value, towardZero);
  const SmallFloat &format = formatOf(kind);
  if (std::isnan(value))
    return format.signBit() - 1;
  return format.bitsOf(value, towardZero ? SmallRounding::TowardZero : SmallRounding::ToNearestEven);
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
