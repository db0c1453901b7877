// erf and erfc.
#include "compiler/lower/math/ExpandMathExponential.h"
#include "compiler/lower/math/ExpandMathFunctions.h"

namespace tegula::expandmath {

/// erfc a for a >= 0, as e^(-a^2) g(t) / (a + K), where t = (a - K) / (a + K) runs over a bounded range.
template <int Bits> static Expr upperTail(Expr x) {
  using C = Coefficients<Bits>;
  // At the end of the range the tail has long been 0.
  Expr a = clamp(x, 0, Bits == 32 ? 10.5 : 27.5);
  Expr d = a + C::erfcCentre;
  Expr inverse = quickReciprocal(d);
  // The sum and its inverse were rounded, and so will be the square. What the result loses by that joins the
  // exponent: 1 + e is e^e.
  Expr lost = fma(d - C::erfcCentre - a, inverse, fma(-d, inverse, 1));
  Expr n = a - C::erfcCentre;
  Expr t = n * inverse;
  Expr tLost = fma(a - (n + C::erfcCentre), inverse, t * lost);
  Expr quotient = polynomial(t + tLost, C::erfcx) * inverse;
  Expr square = a * a;
  Scaled e = expScaled<Bits>(-square, lost - fma(a, a, -square));
  // Scaled last: the tail may be subnormal.
  return scale<Bits>(fma(quotient, e.fraction(), quotient), e.exponent);
}

/// x + x (c0 + c1 x^2 + ...), for |x| <= 1.
template <int Bits> static Expr erfNearZero(Expr x) {
  return fma(x, polynomial(x * x, Coefficients<Bits>::erf), x);
}

/// 1 - 2^p(a): a few ulp of the power are nothing in the result.
static Expr lowerTail32(Expr a) {
  Expr p = polynomial(clamp(a, 0, 4), Coefficients<32>::log2Erfc);
  return 1 - quickExp2(p);
}

Expr expandErf(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    Expr a = abs(x);
    Expr large = B == 32 ? lowerTail32(a) : 1 - upperTail<B>(a);
    return select(a < 1, erfNearZero<B>(x), copySign(large, x));
  });
}

Expr expandErfc(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    Expr a = abs(x);
    Expr tail = upperTail<B>(a);
    Expr large = select(x < 0, 2 - tail, tail);
    return select(a < 0.5, 1 - erfNearZero<B>(x), large);
  });
}

} // namespace tegula::expandmath
