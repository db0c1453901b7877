// asin, acos, atan and atan2.
#include "compiler/lower/math/ExpandMathFormat.h"
#include "compiler/lower/math/ExpandMathFunctions.h"

namespace tegula::expandmath {

/// pi / 2 - x, with pi / 2 of twice the precision.
template <int Bits> static Expr fromHalfPi(Expr x) {
  using C = Coefficients<Bits>;
  return C::halfPi[0] - (x - C::halfPi[1]);
}

namespace {
/// asin s = s + tail, where s is |x| up to 1/2; beyond, s is sqrt((1 - |x|) / 2) and asin s half of what
/// asin |x| is short of pi / 2.
struct ArcSine {
  Expr large;
  Expr s;
  Expr tail;
};
} // namespace

template <int Bits> static ArcSine arcSine(Expr x) {
  Expr a = abs(x);
  Expr large = a > 0.5;
  Expr square = select(large, fma(a, -0.5, 0.5), a * a);
  Expr s = select(large, sqrt(square), a);
  return {large, s, s * square * polynomial(square, Coefficients<Bits>::asin)};
}

Expr expandAsin(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    using C = Coefficients<B>;
    ArcSine arc = arcSine<B>(x);
    // The large terms first: their difference is exact or nearly so.
    Expr large = fma(arc.s, -2, C::halfPi[0]) + fma(arc.tail, -2, C::halfPi[1]);
    return copySign(select(arc.large, large, arc.s + arc.tail), x);
  });
}

Expr expandAcos(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    ArcSine arc = arcSine<B>(x);
    Expr value = arc.s + arc.tail;
    Expr small = fromHalfPi<B>(copySign(value, x));
    Expr half = select(x < 0, fromHalfPi<B>(value), value);
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
