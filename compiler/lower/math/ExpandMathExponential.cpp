// e^x and what is made of it: x = n ln 2 + r, e^x = 2^n e^r, and a polynomial for e^r.
#include "compiler/lower/math/ExpandMathExponential.h"
#include "compiler/lower/math/ExpandMathFunctions.h"

namespace tegula::expandmath {

template <int Bits> static Expr exp(Expr x) {
  Scaled e = expScaled<Bits>(clamp(x, expLowest<Bits>, expHighest<Bits>));
  return scale<Bits>(e.mantissa(), e.exponent);
}

/// The hardware's 2^x of what a multiple of ln 2 leaves: the product with log2 e is rounded where it is
/// small.
static Expr expByHardware(Expr x) {
  using C = Coefficients<32>;
  // The multiple is one that 2^n has a normal number for; beyond, what is left is more than a half, and the
  // result is rounded once on its way to zero or infinity.
  Rounded n = roundProduct<32>(clamp(x, -87.3, 87.3), C::log2OfE[0]);
  Expr rest = fma(x, C::log2OfE[1], fma(x, C::log2OfE[0], -n.asFloat));
  return quickExp2(rest) * powerOfTwo<32>(n.lowBits, x.element());
}

Expr expandExp(Expr x, bool quick) {
  if (x.bits() == 32)
    return quick ? quickExp(x) : expByHardware(x);
  return exp<64>(x);
}

Expr squareExp(Expr x) {
  Expr root = quickExp2(x * (llvm::numbers::log2ef / 2));
  return root * root;
}

Expr expandExp2(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    Expr t = B == 32 ? clamp(x, -151, 129) : clamp(x, -1076, 1025);
    Rounded n = roundProduct<B>(t, 1);
    Expr r = t - n.asFloat;
    return scale<B>(fma(r, polynomial(r, Coefficients<B>::exp2m1), 1), toInteger<B>(n));
  });
}

Expr expandExpm1(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    // Below the lower bound the result rounds to -1, above the upper one it overflows.
    Expr t = B == 32 ? clamp(x, -18, 89) : clamp(x, -38, 710);
    Reduced<B> reduced = reduceByLn2<B>(t);
    Expr r = reduced.rest, lost = reduced.lost();
    Expr tail = r * r * polynomial(r, Coefficients<B>::expm1);
    Expr p = r + tail;
    Expr low = (tail - (p - r)) + fma(lost, p, lost);
    // 2 (p 2^(n-1) + 2^(n-1) - 1/2): at the largest n 2^n alone would overflow. Where the terms cancel the
    // sum's own error counts; products with the power are exact.
    Expr half = powerOfTwo<B>(toInteger<B>(reduced.exponent) - 1, x.element());
    Expr large = half - 0.5, small = p * half;
    Expr sum = large + small;
    Expr y = sum + fma(low, half, small - (sum - large));
    return select(abs(x) < Format<B>::tiny, x, y + y);
  });
}

/// e^a / 2 for a >= 0, which overflows only where sinh and cosh do.
template <int Bits> static Expr halfExp(Expr a) {
  Scaled e = expScaled<Bits>(clamp(a, 0, expHighest<Bits>));
  return scale<Bits>(e.mantissa(), e.exponent - 1);
}

Expr expandSinh(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    Expr a = abs(x);
    Expr h = halfExp<B>(a);
    Expr large = h - quickDivide(0.25, h);
    Expr square = a * a;
    Expr small = fma(a * square, polynomial(square, Coefficients<B>::sinh), a);
    return copySign(select(a < 1, small, large), x);
  });
}

Expr expandCosh(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    Expr h = halfExp<B>(abs(x));
    return h + quickDivide(0.25, h);
  });
}

/// 1 - 2 / (e^2a + 1), which halves the error of the power and the quotient; near 0 a polynomial.
Expr expandTanh(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    using C = Coefficients<B>;
    Expr a = abs(x);
    Expr power = B == 32 ? quickExp2(a * C::twoLog2OfE[0]) : exp<B>(a + a);
    Expr large = fma(-2, quickReciprocal(power + 1), 1);
    Expr square = a * a;
    Expr small = fma(a * square, polynomial(square, C::tanh), a);
    return copySign(select(a < C::tanhEnd, small, large), x);
  });
}

} // namespace tegula::expandmath
