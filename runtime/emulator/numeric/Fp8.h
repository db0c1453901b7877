// The two 8-bit floating-point formats. e4m3 has no infinity: its largest exponent holds numbers too, up to
// 448, and one NaN of either sign; so it is none of `Numeric.h`'s formats.
#pragma once

#include "runtime/emulator/numeric/Numeric.h"

#include <array>

namespace tegula::runtime::ptx {

enum class Fp8 : uint8_t { E4M3, E5M2 };

/// The values of all encodings.
const std::array<float, 256> &fp8Values(Fp8 format);

inline float fp8Value(Fp8 format, uint8_t bits) {
  static const std::array<float, 256> *const tables[] = {&fp8Values(Fp8::E4M3), &fp8Values(Fp8::E5M2)};
  return (*tables[unsigned(format)])[bits];
}

/// `value` rounded to nearest; beyond the largest number it is the largest number, and a NaN is 0x7f.
uint8_t roundToFp8(double value, Fp8 format);

} // namespace tegula::runtime::ptx
