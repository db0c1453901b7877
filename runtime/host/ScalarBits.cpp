#include "runtime/host/ScalarBits.h"

#include "compiler/spec/PackedFloat.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace tegula {

HostValue HostValue::floating(double value) { return {Float, std::nullopt, std::bit_cast<uint64_t>(value)}; }

double HostValue::asDouble() const {
  switch (kind) {
  case Float:
    return std::bit_cast<double>(bits);
  case Int:
    return double(int64_t(bits));
  default:
    return double(bits);
  }
}

bool isFloatKind(ScalarKind kind) { return kind >= ScalarKind::Float16; }

bool isSignedKind(ScalarKind kind) {
  return kind == ScalarKind::Int8 || kind == ScalarKind::Int16 || kind == ScalarKind::Int32 ||
         kind == ScalarKind::Int64;
}

bool integerFits(const HostValue &value, ScalarKind kind) {
  if (kind == ScalarKind::Int1)
    return value.bits <= 1;
  const uint32_t width = scalarKindBytes(kind) * 8;
  const bool negative = value.kind == HostValue::Int && int64_t(value.bits) < 0;
  if (!isSignedKind(kind))
    return !negative && (width == 64 || value.bits >> width == 0);
  if (value.kind == HostValue::UInt && value.bits > uint64_t(INT64_MAX))
    return false;
  const int64_t top = int64_t(value.bits) >> (width - 1);
  return top == 0 || top == -1;
}

/// `value` rounded to a format of `mantissa` and `exponentBits` bits and a sign. What is larger than all
/// numbers of the format, as infinity is, becomes `beyond`.
static uint16_t roundTo(double value, int mantissa, int exponentBits, uint32_t beyond, uint32_t nan) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const uint32_t sign = uint32_t(bits >> 63) << (mantissa + exponentBits);
  const int exponent = int(bits >> 52 & 0x7ff);
  const uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
  if (exponent == 0x7ff)
    return uint16_t(sign | (fraction ? nan : beyond));

  int target = exponent - 1023 + (1 << (exponentBits - 1)) - 1;
  int shift = 52 - mantissa;
  uint64_t significand = fraction;
  if (target <= 0) { // subnormal: the leading one is written out and moves right
    significand |= uint64_t(1) << 52;
    shift += 1 - target;
    target = 0;
  }
  if (exponent == 0 || shift > 54)
    return uint16_t(sign);
  const uint64_t half = uint64_t(1) << (shift - 1);
  const uint64_t rest = significand & (2 * half - 1);
  uint64_t kept = significand >> shift;
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;
  // A carry out of the mantissa rightly raises the exponent.
  const uint64_t magnitude = (uint64_t(target) << mantissa) + kept;
  return uint16_t(sign | (magnitude > beyond ? beyond : magnitude));
}

uint16_t halfBits(double value) { return roundTo(value, 10, 5, 0x7c00, 0x7e00); }
uint16_t bfloatBits(double value) { return roundTo(value, 7, 8, 0x7f80, 0x7fc0); }

// The device's conversions saturate, and have one NaN.
uint8_t e4m3Bits(double value) {
  return std::isnan(value) ? 0x7f : uint8_t(roundTo(value, 3, 4, 0x7e, 0x7f));
}
uint8_t e5m2Bits(double value) {
  return std::isnan(value) ? 0x7f : uint8_t(roundTo(value, 2, 5, 0x7b, 0x7f));
}

double e5m2Value(uint8_t bits) { return halfValue(uint16_t(bits << 8)); }
double e4m3Value(uint8_t bits) {
  const int exponent = bits >> 3 & 0xf, fraction = bits & 7;
  const double magnitude = (bits & 0x7f) == 0x7f ? std::nan("")
                           : exponent == 0       ? std::ldexp(fraction, -9)
                                                 : std::ldexp(fraction + 8, exponent - 10);
  return std::copysign(magnitude, bits >> 7 ? -1.0 : 1.0);
}

double bfloatValue(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

double halfValue(uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f;
  const int fraction = bits & 0x3ff;
  double magnitude;
  if (exponent == 0x1f)
    magnitude = fraction ? std::nan("") : INFINITY;
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  return std::copysign(magnitude, bits >> 15 ? -1.0 : 1.0);
}

/// The integer that a number stands for in an integer type.
static uint64_t integerBits(ScalarKind kind, const HostValue &value) {
  if (value.kind != HostValue::Float)
    return value.bits;
  const double number = std::trunc(value.asDouble());
  if (std::isnan(number))
    return 0;
  if (!isSignedKind(kind))
    return number <= 0 ? 0 : number >= 0x1p64 ? UINT64_MAX : uint64_t(number);
  return uint64_t(number <= -0x1p63 ? INT64_MIN : number >= 0x1p63 ? INT64_MAX : int64_t(number));
}

template <typename T> static void put(std::byte *to, T value) { std::memcpy(to, &value, sizeof value); }

void encodeScalar(ScalarKind kind, const HostValue &value, std::byte *to) {
  switch (kind) {
  case ScalarKind::Float16:
    return put(to, halfBits(value.asDouble()));
  case ScalarKind::BFloat16:
    return put(to, bfloatBits(value.asDouble()));
  case ScalarKind::Float8E4M3:
    return put(to, e4m3Bits(value.asDouble()));
  case ScalarKind::Float8E5M2:
    return put(to, e5m2Bits(value.asDouble()));
  case ScalarKind::Float8E4B15:
  case ScalarKind::Float8E4B8:
  case ScalarKind::Float8E5B16:
    return put(to, packedBits(kind, value.asDouble()));
  case ScalarKind::Float32:
    return put(to, float(value.asDouble()));
  case ScalarKind::Float64:
    return put(to, value.asDouble());
  case ScalarKind::Int1:
    return put(to, uint8_t(value.kind == HostValue::Float ? value.asDouble() != 0 : value.bits != 0));
  case ScalarKind::Int8:
  case ScalarKind::UInt8:
    return put(to, uint8_t(integerBits(kind, value)));
  case ScalarKind::Int16:
  case ScalarKind::UInt16:
    return put(to, uint16_t(integerBits(kind, value)));
  case ScalarKind::Int32:
  case ScalarKind::UInt32:
    return put(to, uint32_t(integerBits(kind, value)));
  case ScalarKind::Int64:
  case ScalarKind::UInt64:
    return put(to, integerBits(kind, value));
  }
}

HostValue decodeScalar(ScalarKind kind, const std::byte *from) {
  uint64_t bits = 0;
  const uint32_t bytes = scalarKindBytes(kind);
  std::memcpy(&bits, from, bytes);
  switch (kind) {
  case ScalarKind::Float16:
    return HostValue::floating(halfValue(uint16_t(bits)));
  case ScalarKind::BFloat16:
    return HostValue::floating(bfloatValue(uint16_t(bits)));
  case ScalarKind::Float8E4M3:
    return HostValue::floating(e4m3Value(uint8_t(bits)));
  case ScalarKind::Float8E5M2:
    return HostValue::floating(e5m2Value(uint8_t(bits)));
  case ScalarKind::Float8E4B15:
  case ScalarKind::Float8E4B8:
  case ScalarKind::Float8E5B16:
    return HostValue::floating(packedValue(kind, uint8_t(bits)));
  case ScalarKind::Float32:
    return HostValue::floating(std::bit_cast<float>(uint32_t(bits)));
  case ScalarKind::Float64:
    return HostValue::floating(std::bit_cast<double>(bits));
  case ScalarKind::Int1:
    return HostValue::boolean(bits != 0);
  default:
    if (!isSignedKind(kind))
      return HostValue::unsignedInteger(bits);
    const uint32_t unused = 64 - bytes * 8;
    return HostValue::integer(int64_t(bits << unused) >> unused);
  }
}

} // namespace tegula
