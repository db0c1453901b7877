#include "runtime/emulator/numeric/Fp8.h"

#include <algorithm>
#include <limits>

namespace tegula::runtime::ptx {

// Both with room above the largest exponent, so that rounding does not stop where the encoding does.
static constexpr Format wideE4M3{4, -6, 9, 0x7f}, wideE5M2{3, -14, 9, 0x7f};
static constexpr uint8_t largestE4M3 = 0x7e, largestE5M2 = 0x7b;

static std::array<float, 256> makeValues(Fp8 format) {
  std::array<float, 256> out;
  const bool isE4M3 = format == Fp8::E4M3;
  for (unsigned bits = 0; bits < 256; ++bits) {
    const unsigned magnitude = bits & 0x7f;
    double value = toDouble(magnitude, isE4M3 ? wideE4M3 : wideE5M2);
    if (magnitude > (isE4M3 ? largestE4M3 : 0x7c))
      value = std::numeric_limits<double>::quiet_NaN();
    else if (magnitude > largestE5M2 && !isE4M3)
      value = std::numeric_limits<double>::infinity();
    out[bits] = float(bits & 0x80 ? -value : value);
  }
  return out;
}

const std::array<float, 256> &fp8Values(Fp8 format) {
  static const std::array<float, 256> e4m3 = makeValues(Fp8::E4M3), e5m2 = makeValues(Fp8::E5M2);
  return format == Fp8::E4M3 ? e4m3 : e5m2;
}

uint8_t roundToFp8(double value, Fp8 format) {
  if (std::isnan(value))
    return 0x7f;
  const bool isE4M3 = format == Fp8::E4M3;
  const uint64_t magnitude = roundTo(std::fabs(value), isE4M3 ? wideE4M3 : wideE5M2, Rounding::Nearest);
  const uint64_t largest = isE4M3 ? largestE4M3 : largestE5M2;
  return uint8_t(std::min(magnitude, largest) | (std::signbit(value) ? 0x80 : 0));
}

} // namespace tegula::runtime::ptx
