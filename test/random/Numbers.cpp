#include "test/random/Numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tegula::random {

namespace {

/// A float of eight bits: the lowest `fraction` ones, and an exponent that counts from `-bias`.
struct EightBits {
  int fraction, bias;
};
constexpr EightBits e4m3{3, 7}, e5m2{2, 15};

double real(EightBits format, uint64_t bits) {
  const int exponent = int(bits & 0x7f) >> format.fraction;
  const uint64_t digits = bits & ((uint64_t(1) << format.fraction) - 1);
  const double value = std::ldexp(double(digits + (exponent ? uint64_t(1) << format.fraction : 0)),
                                  std::max(exponent, 1) - format.bias - format.fraction);
  return bits & 0x80 ? -value : value;
}

uint64_t nearest(EightBits format, double value) {
  const uint64_t sign = std::signbit(value) ? 0x80 : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0)
    return sign;
  const int exponent = std::max(std::ilogb(magnitude), 1 - format.bias);
  const auto units = uint64_t(std::nearbyint(std::ldexp(magnitude, format.fraction - exponent)));
  const bool isSubnormal = units < uint64_t(1) << format.fraction;
  return sign | (units + (isSubnormal ? 0 : uint64_t(exponent + format.bias - 1) << format.fraction));
}

} // namespace

double real(ScalarKind type, uint64_t bits) {
  switch (type) {
  case ScalarKind::Float8E4M3:
    return (bits & 0x7f) == 0x7f ? std::numeric_limits<double>::quiet_NaN() : real(e4m3, bits);
  case ScalarKind::Float8E5M2: // the high half of an fp16
    return double(std::bit_cast<_Float16>(uint16_t(bits << 8)));
  case ScalarKind::Float16:
    return double(std::bit_cast<_Float16>(uint16_t(bits)));
  case ScalarKind::BFloat16:
    return double(std::bit_cast<float>(uint32_t(bits) << 16));
  case ScalarKind::Float32:
    return double(std::bit_cast<float>(uint32_t(bits)));
  default:
    return std::bit_cast<double>(bits);
  }
}

uint64_t nearest(ScalarKind type, double value) {
  switch (type) {
  case ScalarKind::Float8E4M3:
    return nearest(e4m3, value);
  case ScalarKind::Float8E5M2:
    return nearest(e5m2, value);
  case ScalarKind::Float16:
    return std::bit_cast<uint16_t>(_Float16(value));
  case ScalarKind::BFloat16: {
    const auto bits = std::bit_cast<uint32_t>(float(value));
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
  case ScalarKind::Float32:
    return std::bit_cast<uint32_t>(float(value));
  default:
    return std::bit_cast<uint64_t>(value);
  }
}

} // namespace tegula::random
