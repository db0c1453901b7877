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

/// The sine, or the cosine in an odd quadrant, negative in quadrants 2 and 3. `flip` may bring another sign.
template <int Bits> static Expr pick(Both both, Expr index, std::optional<Expr> flip = std::nullopt) {
  Expr y = select((index & 1) != 0, both.cosine, both.sine);
  Expr sign = shiftLeft(index, Bits - 2);
  if (flip)
    sign = sign ^ *flip;
  return fromBits(toBits(y) ^ (sign & Format<Bits>::signBit), y.element());
}

std::pair<Expr, Expr> expandSincos(Expr x) {
  // |x| is reduced, so that the sign of zero survives.
  Quadrant q = reduceByHalfPi(abs(x));
  if (x.bits() == 32) {
    Both both = evaluate<32>(q.rest);
    return {pick<32>(both, q.index, toBits(x)), pick<32>(both, q.index + 1)};
  }
  Both both = evaluate<64>(q.rest);
  return {pick<64>(both, q.index, toBits(x)), pick<64>(both, q.index + 1)};
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

Expr expandTan(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    Quadrant q = reduceByHalfPi(abs(x));
    Both both = evaluate<B>(q.rest);
    Expr odd = (q.index & 1) != 0;
    Expr y = select(odd, both.cosine, both.sine) / select(odd, both.sine, both.cosine);
    // Odd quadrants are negative: tan(r + pi / 2) = -1 / tan r.
    Expr sign = shiftLeft(q.index, B - 1) ^ toBits(x);
    return fromBits(toBits(y) ^ (sign & Format<B>::signBit), y.element());
  });
}

} // namespace tegula::expandmath
