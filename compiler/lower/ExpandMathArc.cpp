// asin, acos, atan and atan2.
#include "compiler/lower/ExpandMathFormat.h"
#include "compiler/lower/ExpandMathFunctions.h"

namespace tegula::expandmath {

/// pi / 2 - x, with pi / 2 of twice the precision.
template <int Bits> static Expr fromHalfPi(Expr x) {
  using C = Coefficients<Bits>;
  return C::halfPi[0] - (x - C::halfPi[1]);
}

namespace {
/// asin of |x| up to 1/2; beyond, of sqrt((1 - |x|) / 2), half of what is missing to pi / 2.
struct ArcSine {
  Expr large;
  Expr value;
};
} // namespace

template <int Bits> static ArcSine arcSine(Expr x) {
  Expr a = abs(x);
  Expr large = a > 0.5;
  Expr square = select(large, fma(a, -0.5, 0.5), a * a);
  Expr s = select(large, sqrt(square), a);
  return {large, fma(s * square, polynomial(square, Coefficients<Bits>::asin), s)};
}

Expr expandAsin(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    ArcSine arc = arcSine<B>(x);
    return copySign(select(arc.large, fromHalfPi<B>(arc.value + arc.value), arc.value), x);
  });
}

Expr expandAcos(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    ArcSine arc = arcSine<B>(x);
    Expr small = fromHalfPi<B>(copySign(arc.value, x));
    Expr half = select(x < 0, fromHalfPi<B>(arc.value), arc.value);
    return select(arc.large, half + half, small);
  });
}

template <int Bits> static Expr arcTangent(Expr z) {
  Expr square = z * z;
  return fma(z * square, polynomial(square, Coefficients<Bits>::atan), z);
}

Expr expandAtan(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    Expr a = abs(x);
    Expr inverted = a > 1;
    Expr p = arcTangent<B>(select(inverted, 1 / a, a));
    return copySign(select(inverted, fromHalfPi<B>(p), p), x);
  });
}

Expr expandAtan2(Expr y, Expr x) {
  return byWidth(y, [&]<int B>(Expr y) {
    using C = Coefficients<B>;
    Expr ay = abs(y), ax = abs(x);
    Expr steep = ay > ax;
    Expr least = select(steep, ax, ay);
    Expr most = select(steep, ay, ax);
    // Two zeros are on the axis, two infinities on the diagonal.
    Expr ofEqual = select(least == 0, least, least.constant(1));
    Expr p = arcTangent<B>(select(least == most, ofEqual, least / most));

    // 0, pi / 2 or pi, plus or minus p. The sign is that of the octant.
    Expr left = isNegative(x);
    Expr zero = p.constant(0);
    Expr base = select(steep, p.constant(C::halfPi[0]), select(left, p.constant(2 * C::halfPi[0]), zero));
    Expr baseLow = select(steep, p.constant(C::halfPi[1]), select(left, p.constant(2 * C::halfPi[1]), zero));
    Expr turned = select(steep ^ left, -p, p);
    return copySign(base + (turned + baseLow), y);
  });
}

} // namespace tegula::expandmath
