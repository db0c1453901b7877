// Logarithms: x = 2^k (1 + f) with 1 + f from sqrt(1/2) to sqrt(2), and a polynomial for ln(1 + f).
#include "compiler/lower/math/ExpandMathFormat.h"
#include "compiler/lower/math/ExpandMathFunctions.h"

namespace tegula::expandmath {

namespace {
struct Split {
  Expr f;
  Expr k;
};
} // namespace

template <int Bits> static Split split(Expr x) {
  using F = Format<Bits>;
  Expr subnormal = x < F::smallestNormal;
  Expr normal = select(subnormal, x * double(uint64_t(2) << F::mantissa), x);
  Expr bits = toBits(normal);
  Expr k = shiftRightSigned(bits - F::sqrtHalfBits, F::mantissa);
  Expr m = fromBits(bits - shiftLeft(k, F::mantissa), x.element());
  Expr correction = select(subnormal, x.constant(-(F::mantissa + 1)), x.constant(0));
  return {m - 1, toFloat(k, x.element()) + correction};
}

/// y where x is within (low, infinity), else what a logarithm with its pole at low is.
static Expr withLogSpecials(Expr x, Expr y, double low) {
  Expr atMost = select(x == low, -x.infinity(), x.nan());
  return select(x > low, select(x < x.infinity(), y, x), atMost);
}

/// k ln 2 + ln(1 + f).
template <int Bits> static Expr combine(Split s) {
  using C = Coefficients<Bits>;
  Expr ln = fma(s.f * s.f, polynomial(s.f, C::log1p), s.f);
  return fma(s.k, C::ln2[0], fma(s.k, C::ln2[1], ln));
}

/// The same, rounded hardly more than once, for those whose f is rounded already.
template <int Bits> static Expr combineExactly(Split s) {
  using C = Coefficients<Bits>;
  Expr multiple = s.k * C::ln2Short[0];
  Expr large = multiple + s.f;
  Expr lost = s.f - (large - multiple);
  return large + fma(s.f * s.f, polynomial(s.f, C::log1p), fma(s.k, C::ln2Short[1], lost));
}

Expr expandLog(Expr x) {
  Expr y = byWidth(x, []<int B>(Expr x) { return combine<B>(split<B>(x)); });
  return withLogSpecials(x, y, 0);
}

Expr expandLog2(Expr x) {
  Expr y = byWidth(x, []<int B>(Expr x) {
    Split s = split<B>(x);
    return s.k + fma(s.f, polynomial(s.f, Coefficients<B>::log2p1), s.f);
  });
  return withLogSpecials(x, y, 0);
}

Expr expandLog10(Expr x) {
  Expr y = byWidth(x, []<int B>(Expr x) {
    using C = Coefficients<B>;
    Split s = split<B>(x);
    Expr ofMantissa = fma(s.f, polynomial(s.f, C::log10p1), s.f * 0.5);
    return fma(s.k, C::log10Of2[0], fma(s.k, C::log10Of2[1], ofMantissa));
  });
  return withLogSpecials(x, y, 0);
}

/// ln(1 + x + low) + plus ln 2 for finite x > -1, where low is at most a few ulp of x.
template <int Bits>
static Expr log1p(Expr x, std::optional<Expr> low = std::nullopt, std::optional<Expr> plus = std::nullopt) {
  using F = Format<Bits>;
  // The exponent comes from 1 + x rounded; f is computed from x itself, with one rounding. The scale is
  // 4 * 2^-k because 2^-k alone can be subnormal.
  Expr bits = toBits(x + 1);
  Expr k = shiftRightSigned(bits - F::sqrtHalfBits, F::mantissa);
  Expr fourfold = powerOfTwo<Bits>(2 - k, x.element());
  Expr f = fma(x * 0.25, fourfold, fma(fourfold, 0.25, -1));
  if (low)
    f = fma(*low * 0.25, fourfold, f);
  Expr exponent = toFloat(k, x.element());
  if (plus)
    exponent = exponent + *plus;
  return combineExactly<Bits>({f, exponent});
}

Expr expandLog1p(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    Expr y = withLogSpecials(x, log1p<B>(x), -1);
    return select(abs(x) < Format<B>::tiny, x, y);
  });
}

/// Above this the argument is doubled by adding ln 2, and 1 is nothing compared to it.
template <int Bits> constexpr double inverseHyperbolicLarge = Bits == 32 ? 0x1p28 : 0x1p56;

/// ln(1 + u), u = a + a^2 / (1 + sqrt(1 + a^2)), with what was lost in the sum u.
Expr expandAsinh(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    Expr a = abs(x);
    Expr large = a > inverseHyperbolicLarge<B>;
    Expr beyond = a / (sqrt(fma(a, a, 1)) + 1) * a;
    Expr w = select(large, x.constant(0), beyond);
    Expr u = a + w;
    Expr low = w - (u - a);
    Expr y = log1p<B>(u, low, select(large, x.constant(1), x.constant(0)));
    Expr bounded = select(a < x.infinity(), y, a);
    return copySign(select(a < Format<B>::tiny, a, bounded), x);
  });
}

/// ln(1 + u), u = t + sqrt(t^2 + 2 t), t = x - 1, with what was lost in the root and the sum.
Expr expandAcosh(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    Expr large = x > inverseHyperbolicLarge<B>;
    Expr t = x - 1;
    Expr square = fma(t, t, t + t);
    Expr root = sqrt(square);
    Expr positive = root > 0;
    Expr rootLow = select(positive, quickDivide(fma(-root, root, square), root + root), x.constant(0));
    Expr sum = t + root;
    Expr u = select(large, x, sum);
    Expr low = select(large, x.constant(0), (t - (sum - root)) + rootLow);
    Expr y = log1p<B>(u, low, select(large, x.constant(1), x.constant(0)));
    return select(x >= 1, select(x < x.infinity(), y, x), x.nan());
  });
}

/// ln(1 + u) / 2, u = 2 a / (1 - a), with what was lost in the difference and the quotient.
Expr expandAtanh(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    Expr a = abs(x);
    Expr d = 1 - a;
    Expr dLow = (1 - d) - a;
    Expr inverse = quickReciprocal(d);
    Expr u = (a + a) * inverse;
    Expr low = (fma(-u, d, a + a) - u * dLow) * inverse;
    Expr y = log1p<B>(u, low) * 0.5;
    Expr atLeastOne = select(a == 1, x.infinity(), x.nan());
    Expr bounded = select(a < 1, y, atLeastOne);
    return copySign(select(a < Format<B>::tiny, a, bounded), x);
  });
}

} // namespace tegula::expandmath
