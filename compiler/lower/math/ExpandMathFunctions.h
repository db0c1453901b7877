// One function for each `math` op that is written out; x is f32 or f64, scalar or shaped.
//
// Unless said otherwise results are within 2 ulp and special values (zeros of both signs, infinities, NaN,
// subnormals, overflow) come out as in C. coefficients/README.md has the measured errors.
#pragma once

#include "compiler/lower/math/ExpandMathBuilder.h"

namespace tegula::expandmath {

/// Exponentials. `quick` allows f32 to use the hardware's 2^x alone: off by 2 ulp, and by |x| / 4 ulp more in
/// exp, which without it takes the hardware's of what a multiple of ln 2 leaves.
Expr expandExp(Expr x, bool quick);
/// e^x in f32 as the square of the hardware's 2^(x log2(e) / 2), which is a normal number where the result is
/// subnormal: off by 5 ulp, and by |x| / 4 ulp more.
Expr squareExp(Expr x);
Expr expandExp2(Expr x);
Expr expandExpm1(Expr x);
Expr expandSinh(Expr x);
Expr expandCosh(Expr x);
Expr expandTanh(Expr x);

/// Logarithms.
Expr expandLog(Expr x);
Expr expandLog2(Expr x);
Expr expandLog10(Expr x);
Expr expandLog1p(Expr x);
Expr expandAsinh(Expr x);
Expr expandAcosh(Expr x);
Expr expandAtanh(Expr x);

/// Trigonometry, for arguments of any size.
Expr expandSin(Expr x);
Expr expandCos(Expr x);
std::pair<Expr, Expr> expandSincos(Expr x);
Expr expandTan(Expr x);

/// Inverse trigonometry. expandAtan2 takes y and x in this order.
Expr expandAsin(Expr x);
Expr expandAcos(Expr x);
Expr expandAtan(Expr x);
Expr expandAtan2(Expr y, Expr x);

/// The error function.
Expr expandErf(Expr x);
Expr expandErfc(Expr x);

/// Powers and roots. The exponent n is a signless integer of at most 64 bits, taken as signed.
Expr expandPow(Expr x, Expr y);
Expr expandPowInteger(Expr x, Expr n);
Expr expandIntegerPower(Expr base, Expr n);
Expr expandCbrt(Expr x);
Expr expandRsqrt(Expr x, bool quick);

/// Returns a power of two and the reciprocal of its product with x, an f32 of any size. Multiplied by one and
/// then the other a number is divided by x, off by 2 ulp: the steps, and the bits, of `div.full`.
std::pair<Expr, Expr> scaledReciprocal(Expr x);

} // namespace tegula::expandmath
