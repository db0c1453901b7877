// sin, cos and tan: both polynomials on |rest| <= pi / 4, then the quadrant picks one and its sign.
#include "compiler/lower/math/ExpandMathFormat.h"
#include "compiler/lower/math/ExpandMathFunctions.h"
#include "compiler/lower/math/ExpandMathReduction.h"

namespace tegula::expandmath {

namespace {
struct Both {
  Expr sine;
  Expr cosine;
};
} // namespace

template <int Bits> static Both evaluate(Expr r) {
  using C = Coefficients<Bits>;
  Expr square = r * r;
  Expr sine = fma(r * square, polynomial(square, C::sin), r);
  Expr cosine = fma(square, fma(square, polynomial(square, C::cos), -0.5), 1);
  return {sine, cosine};
}

/// The sine, or the cosine in an odd quadrant, negative in quadrants 2 and 3. `flip` may give another sign.
template <int Bits> static Expr pick(Both both, Expr index, std::optional<Expr> flip = std::nullopt) {
  Expr y = select((index & 1) != 0, both.cosine, both.sine);
  Expr sign = shiftLeft(index, Bits - 2);
  if (flip)
    sign = sign ^ *flip;
  return fromBits(toBits(y) ^ (sign & Format<Bits>::signBit), y.element());
}

std::pair<Expr, Expr> expandSincos(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    // |x| is reduced, so that the sign of zero survives.
    Quadrant q = reduceByHalfPi(abs(x));
    Both both = evaluate<B>(q.rest);
    return std::pair<Expr, Expr>{pick<B>(both, q.index, toBits(x)), pick<B>(both, q.index + 1)};
  });
}

Expr expandSin(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    Quadrant q = reduceByHalfPi(abs(x));
    return pick<B>(evaluate<B>(q.rest), q.index, toBits(x));
  });
}

Expr expandCos(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    Quadrant q = reduceByHalfPi(abs(x));
    return pick<B>(evaluate<B>(q.rest), q.index + 1);
  });
}

static Expr tangent32(Expr r, Expr odd) {
  Both both = evaluate<32>(r);
  return select(odd, both.cosine, both.sine) / select(odd, both.sine, both.cosine);
}

/// Corrects for what sine and cosine lost when they were rounded, so that hardly more than the quotient's own
/// rounding remains.
static Expr tangent64(Expr r, Expr odd) {
  using C = Coefficients<64>;
  Expr square = r * r;
  Expr tail = r * square * polynomial(square, C::sin);
  Expr sine = r + tail;
  Expr sineLow = tail - (sine - r);

  Expr half = square * 0.5;
  Expr one = 1 - half;
  Expr rest = square * square * polynomial(square, C::cos);
  Expr cosine = one + rest;
  Expr cosineLow = ((1 - one) - half) - fma(r, r, -square) * 0.5 + (rest - (cosine - one));

  Expr below = select(odd, sine, cosine);
  Expr inverse = quickReciprocal(below);
  Expr quotient = select(odd, cosine, sine) * inverse;
  Expr missing = fma(-quotient, below, select(odd, cosine, sine));
  missing = missing + fma(-quotient, select(odd, sineLow, cosineLow), select(odd, cosineLow, sineLow));
  return fma(missing, inverse, quotient);
}

Expr expandTan(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    Quadrant q = reduceByHalfPi(abs(x));
    Expr odd = (q.index & 1) != 0;
    Expr y = B == 32 ? tangent32(q.rest, odd) : tangent64(q.rest, odd);
    // Odd quadrants are negative: tan(r + pi / 2) = -1 / tan r.
    Expr sign = shiftLeft(q.index, B - 1) ^ toBits(x);
    return fromBits(toBits(y) ^ (sign & Format<B>::signBit), y.element());
  });
}

} // namespace tegula::expandmath
