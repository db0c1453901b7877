// The elements of matrices: their names in PTX, their bits in registers or memory, their values.
#pragma once

#include "runtime/emulator/numeric/Fp8.h"
#include "runtime/emulator/numeric/MatrixMath.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tegula::runtime::ptx {

inline bool parseElement(std::string_view name, MatrixElement &element) {
  static constexpr std::pair<std::string_view, MatrixElement> names[] = {
      {"f16", MatrixElement::F16},   {"bf16", MatrixElement::BF16}, {"tf32", MatrixElement::TF32},
      {"e4m3", MatrixElement::E4M3}, {"e5m2", MatrixElement::E5M2}, {"s8", MatrixElement::S8},
      {"u8", MatrixElement::U8},     {"f64", MatrixElement::F64}};
  for (const auto &[spelling, known] : names)
    if (spelling == name) {
      element = known;
      return true;
    }
  return false;
}

/// Elements of A or B in a register of 32 bits; one of f64 in a register of 64.
constexpr unsigned elementsPerRegister(MatrixElement element) {
  switch (element) {
  case MatrixElement::F16:
  case MatrixElement::BF16:
    return 2;
  case MatrixElement::TF32:
  case MatrixElement::F64:
    return 1;
  default:
    return 4;
  }
}

/// The value of an element of a narrow floating-point type.
template <MatrixElement E> float valueOf(uint64_t bits) {
  switch (E) {
  case MatrixElement::F16: {
    // The exponent's bias moves by a multiplication, which makes subnormals right as well.
    const float size = asFloat((bits & 0x7fff) << 13) * 0x1p112f;
    const uint64_t special = (bits & 0x7c00) == 0x7c00 ? 0x7f800000 | (bits & 0x3ff) << 13 : 0;
    return asFloat((special ? special : bitsOfFloat(size)) | (bits & 0x8000) << 16);
  }
  case MatrixElement::BF16:
    return asFloat(bits << 16);
  case MatrixElement::TF32:
    return asFloat(bits & 0xffffe000);
  case MatrixElement::E4M3:
    return fp8Value(Fp8::E4M3, uint8_t(bits));
  default:
    return fp8Value(Fp8::E5M2, uint8_t(bits));
  }
}

/// The exponent of subnormal elements in a unit that knows their type.
template <MatrixElement E> constexpr int leastExponent() {
  switch (E) {
  case MatrixElement::BF16:
  case MatrixElement::TF32:
    return -126;
  case MatrixElement::E4M3:
    return -6;
  default:
    return -14;
  }
}

/// The same where a unit multiplies elements of 8 bits as halves.
template <MatrixElement E> constexpr int leastExponentAsHalf() {
  return E == MatrixElement::E4M3 ? leastExponent<MatrixElement::F16>() : leastExponent<E>();
}

/// Below that of any product, so that zeros align nothing.
inline constexpr int16_t exponentOfZero = -1000;

/// The value of an element, the exponent that aligns its products, which `least` bounds, and `special` set
/// for infinities and NaNs.
template <MatrixElement E, int least = leastExponent<E>()>
void split(uint64_t bits, double &value, int16_t &exponent, bool &special) {
  const float single = valueOf<E>(bits);
  const int field = int(bitsOfFloat(single) >> 23 & 0xff);
  value = double(single);
  exponent = int16_t(single == 0 ? exponentOfZero : std::max(field - 127, least));
  special |= field == 0xff;
}

/// The value of an element of 8 bits that is an integer.
inline float integerValue(MatrixElement element, uint64_t bits) {
  return element == MatrixElement::S8 ? float(int8_t(bits)) : float(bits);
}

/// Reads the sums in a register of an accumulator: one in single precision, or two halves.
inline void readSums(uint64_t bits, bool halves, double *sums) {
  sums[0] = double(halves ? valueOf<MatrixElement::F16>(bits & 0xffff) : asFloat(bits));
  if (halves)
    sums[1] = double(valueOf<MatrixElement::F16>(bits >> 16 & 0xffff));
}

/// The inverse, with the one NaN that matrix units give.
inline uint64_t bitsOfSums(const double *sums, bool halves) {
  if (halves)
    return roundTo(sums[0], half, Rounding::Nearest) | roundTo(sums[1], half, Rounding::Nearest) << 16;
  return sums[0] != sums[0] ? single.nan : bitsOfFloat(float(sums[0]));
}

} // namespace tegula::runtime::ptx
