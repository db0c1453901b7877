// Arithmetic on the bits of one value, for any format narrower than double and any rounding.
//
// These are the definitions that handlers share; see Numeric.h for why a second rounding is exact.
#pragma once

#include "runtime/emulator/ptx/Module.h"

namespace tegula::runtime::ptx {

/// The format of a type of floats, or of the elements of a pair of them.
inline const Format &formatOf(Type type) {
  switch (type) {
  case Type::F16:
  case Type::F16x2:
    return half;
  case Type::BF16:
  case Type::BF16x2:
    return bfloat;
  case Type::F32:
    return single;
  case Type::TF32:
    return tensorFloat;
  default:
    return doubleFormat;
  }
}

/// .sat: [0, 1], NaN gives +0.
template <const Format &F> inline uint64_t saturate(uint64_t bits) {
  if (F.isNan(bits) || bits & F.sign())
    return 0;
  const uint64_t one = roundTo(1.0, F, Rounding::Nearest);
  return bits > one ? one : bits;
}

/// Flush, saturate and rectify a result as `inst` says.
template <const Format &F> inline uint64_t finishFloat(const Inst &inst, uint64_t bits) {
  if (inst.has(FlagFtz))
    bits = flushSubnormal(bits, F);
  if (inst.has(FlagSat))
    return saturate<F>(bits);
  if (inst.has(FlagRelu) && !F.isNan(bits) && bits & F.sign())
    return 0;
  return bits;
}

template <const Format &F> inline double operandValue(const Inst &inst, uint64_t bits) {
  return toDouble(inst.has(FlagFtz) ? flushSubnormal(bits, F) : bits, F);
}

/// The exact result of `op`, up to `Reciprocal`, to odd, then to `F` in the instruction's direction.
template <const Format &F, FloatOp Op>
uint64_t narrowOp(const Inst &inst, uint64_t x, uint64_t y, uint64_t z) {
  const double a = operandValue<F>(inst, x);
  const double b = Op == FloatOp::Sqrt || Op == FloatOp::Reciprocal ? 0 : operandValue<F>(inst, y);
  double value = 0;
  if constexpr (Op == FloatOp::Add) {
    value = fixZeroSum(addToOdd(a, b), a, b, inst.rounding);
  } else if constexpr (Op == FloatOp::Subtract) {
    value = fixZeroSum(addToOdd(a, -b), a, -b, inst.rounding);
  } else if constexpr (Op == FloatOp::Multiply) {
    value = a * b;
  } else if constexpr (Op == FloatOp::Fma) {
    const double c = operandValue<F>(inst, z);
    value = fixZeroSum(addToOdd(a * b, c), a * b, c, inst.rounding);
  } else if constexpr (Op == FloatOp::Divide) {
    value = divideToOdd(a, b);
  } else if constexpr (Op == FloatOp::Reciprocal) {
    value = divideToOdd(1.0, a);
  } else {
    value = sqrtToOdd(a);
  }
  return finishFloat<F>(inst, roundTo(value, F, inst.rounding));
}

/// min and max: -0 is below +0, a NaN loses unless .NaN is given, .xorsign.abs compares magnitudes.
template <const Format &F, bool Max> uint64_t extremum(const Inst &inst, uint64_t x, uint64_t y) {
  if (inst.has(FlagFtz)) {
    x = flushSubnormal(x, F);
    y = flushSubnormal(y, F);
  }
  const uint64_t signs = (x ^ y) & F.sign();
  const bool nanX = F.isNan(x), nanY = F.isNan(y);
  if (inst.has(FlagXorSign)) {
    x &= ~F.sign();
    y &= ~F.sign();
  }
  if ((nanX && nanY) || (inst.has(FlagNan) && (nanX || nanY)))
    return F.nan;
  uint64_t out;
  if (nanX || nanY) {
    out = nanX ? y : x;
  } else {
    // Order as sign and magnitude: negatives reversed below positives.
    const auto key = [](uint64_t bits) { return bits & F.sign() ? ~bits : bits | F.sign(); };
    const uint64_t keyX = key(x) & lowMask(F.bits), keyY = key(y) & lowMask(F.bits);
    out = (keyX < keyY) != Max ? x : y;
  }
  return inst.has(FlagXorSign) ? out | signs : out;
}

/// These are additions on the chip, hence a NaN becomes the one NaN of the format.
template <const Format &F> uint64_t absolute(const Inst &inst, uint64_t x) {
  if (F.isNan(x))
    return F.nan;
  x &= ~F.sign();
  return inst.has(FlagFtz) ? flushSubnormal(x, F) : x;
}
template <const Format &F> uint64_t negate(const Inst &inst, uint64_t x) {
  if (F.isNan(x))
    return F.nan;
  if (inst.has(FlagFtz))
    x = flushSubnormal(x, F);
  return x ^ F.sign();
}

} // namespace tegula::runtime::ptx
