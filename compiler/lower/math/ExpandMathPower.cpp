// x^y = 2^(y log2 x). The exponent can be large, so that log2 x is needed to about twice the precision: as
// a sum of two floats.
#include "compiler/lower/math/ExpandMathFormat.h"
#include "compiler/lower/math/ExpandMathFunctions.h"

namespace tegula::expandmath {

namespace {
/// The sum of two floats, the second at most about an ulp of the first.
struct Pair {
  Expr high;
  Expr low;
};
} // namespace

/// a + b for |a| >= |b| or a = 0, with the rounding error.
static Pair add(Expr a, Expr b) {
  Expr sum = a + b;
  return {sum, b - (sum - a)};
}

static Pair multiply(Pair a, Pair b) {
  Expr product = a.high * b.high;
  Expr low = fma(a.high, b.high, -product);
  return {product, fma(a.high, b.low, fma(a.low, b.high, low))};
}

/// log2 m = 2 log2(e) atanh s, s = (m - 1) / (m + 1), for m from sqrt(1/2) to sqrt(2).
template <int Bits> static Pair log2OfMantissa(Expr m) {
  using C = Coefficients<Bits>;
  Expr d = m + 1;
  Expr dLow = m - (d - 1);
  Expr n = m - 1;
  Expr inverse = quickReciprocal(d);
  Expr quotient = n * inverse;
  Pair s = {quotient, fma(-quotient, dLow, fma(-quotient, d, n)) * inverse};
  s = add(s.high, s.low);

  Pair square = multiply(s, s);
  Expr tail = fma(square.high, polynomial(square.high, C::atanhTail), C::atanhCubic[1]);
  Pair series = add(tail.constant(C::atanhCubic[0]), tail);
  Pair cubic = multiply(s, multiply(square, series));
  Pair sum = add(s.high, cubic.high);
  Pair atanh = {sum.high, sum.low + (s.low + cubic.low)};
  return multiply(atanh, {m.constant(C::twoLog2OfE[0]), m.constant(C::twoLog2OfE[1])});
}

/// log2 of a >= 0; of 0 and infinity the limits, of NaN nothing in particular.
template <int Bits> static Pair log2Extended(Expr a) {
  using F = Format<Bits>;
  Expr subnormal = a < F::smallestNormal;
  Expr bits = toBits(select(subnormal, a * double(uint64_t(2) << F::mantissa), a));
  Expr k = shiftRightSigned(bits - F::sqrtHalfBits, F::mantissa);
  Expr m = fromBits(bits - shiftLeft(k, F::mantissa), a.element());
  Expr correction = select(subnormal, a.constant(-(F::mantissa + 1)), a.constant(0));
  Pair fraction = log2OfMantissa<Bits>(m);
  Pair sum = add(toFloat(k, a.element()) + correction, fraction.high);
  Expr low = sum.low + fraction.low;
  Expr high = select(a == 0, -a.infinity(), select(a == a.infinity(), a.infinity(), sum.high));
  return {high, low};
}

/// a^(y + yLow) for a >= 0, without the special values that are not limits.
template <int Bits> static Expr powPositive(Expr a, Expr y, std::optional<Expr> yLow = std::nullopt) {
  Pair log = log2Extended<Bits>(a);
  Expr high = y * log.high;
  Expr low = fma(y, log.low, fma(y, log.high, -high));
  if (yLow)
    low = fma(*yLow, log.high, low);
  constexpr double lowest = Bits == 32 ? -151 : -1076, highest = Bits == 32 ? 129 : 1025;
  Expr t = clamp(high, lowest, highest);
  // Out of range, where it may be infinity minus infinity, the lower part is left out.
  Expr rest = select(t == high, low, t.constant(0));
  Rounded n = roundProduct<Bits>(t, 1);
  Expr r = (t - n.asFloat) + rest;
  return scale<Bits>(fma(r, polynomial(r, Coefficients<Bits>::exp2m1), 1), toInteger<Bits>(n));
}

Expr expandPow(Expr x, Expr y) {
  return byWidth(x, [&]<int B>(Expr x) {
    Expr a = abs(x);
    Expr power = powPositive<B>(a, y);
    Expr bounded = select(a == 1, a, power);
    Expr halfY = y * 0.5;
    Expr whole = truncate(y) == y;
    Expr odd = whole & (truncate(halfY) != halfY);
    Expr signedPower = select(isNegative(x) & odd, -bounded, bounded);
    Expr noReal = (x < 0) & (whole ^ 1) & (a < x.infinity());
    Expr z = select(noReal, x.nan(), signedPower);
    Expr known = select(ordered(x, y), z, x.nan());
    return select((x == 1) | (y == 0), x.constant(1), known);
  });
}

Expr expandPowInteger(Expr x, Expr n) {
  return byWidth(x, [&]<int B>(Expr x) {
    // The bits of a wide exponent that a float cannot hold become a float of their own.
    uint64_t lower = (uint64_t(1) << std::max(int(n.bits()) - Format<B>::mantissa, 0)) - 1;
    Pair y = add(toFloat(n & ~lower, x.element()), toFloat(n & lower, x.element()));
    Expr a = abs(x);
    Expr power = powPositive<B>(a, y.high, y.low);
    Expr odd = (n & 1) != 0;
    Expr z = select(isNegative(x) & odd, -power, power);
    Expr known = select(ordered(x, x), z, x);
    return select(n == 0, x.constant(1), known);
  });
}

Expr expandIntegerPower(Expr base, Expr n) {
  // Square and multiply over all bits of the exponent, whose value is known only to each element.
  Expr result = base.integer(1);
  Expr square = base;
  for (unsigned bit = 0; bit + 1 < base.bits(); ++bit) {
    Expr taken = (n & (uint64_t(1) << bit)) != 0;
    result = select(taken, result * square, result);
    square = square * square;
  }
  // 1 / base^-n is 0 except bases 1 and -1. Division by zero is undefined: 0 here.
  Expr signOfOdd = select((n & 1) != 0, base, base.integer(1));
  Expr isUnit = (base == 1) | (base == base.integer(~uint64_t(0)));
  return select(n < 0, select(isUnit, signOfOdd, base.integer(0)), result);
}

Expr expandCbrt(Expr x) {
  return byWidth(x, []<int B>(Expr x) {
    using F = Format<B>;
    Expr a = abs(x);
    // 2^24 and 2^54 are cubes, and lift every subnormal.
    constexpr double lift = B == 32 ? 0x1p24 : 0x1p54, drop = B == 32 ? 0x1p-8 : 0x1p-18;
    Expr subnormal = a < F::smallestNormal;
    Expr v = select(subnormal, a * lift, a);
    // w = v^(-1/3): the bits of a float are about its logarithm, so dividing them by -3 comes within 3.5%.
    constexpr uint64_t guess = B == 32 ? 0x54a23000 : 0x553ef00000000000;
    Expr w = fromBits(guess - toBits(v) / 3, x.element());
    for (int i = 0; i < 2; ++i) {
      // With h = 1 - v w^3, v^(-1/3) = w (1 - h)^(-1/3) = w (1 + h / 3 + 2 h^2 / 9 + 14 h^3 / 81 + ...).
      Expr h = fma(-(v * w), w * w, 1);
      Expr series = fma(fma(h, 14.0 / 81, 2.0 / 9), h, 1.0 / 3);
      w = fma(w * h, series, w);
    }
    Expr y = v * w * w;
    // One step of Newton with the exact remainder v - y^3: 1 / (3 y^2) = w^2 / 3.
    Expr square = y * y;
    Expr squareLow = fma(y, y, -square);
    Expr remainder = fma(-squareLow, y, fma(-square, y, v));
    y = fma(remainder, w * w * (1.0 / 3), y);
    y = select(subnormal, y * drop, y);
    Expr ordinary = (a > 0) & (a < x.infinity());
    return select(ordinary, copySign(y, x), x);
  });
}

Expr expandRsqrt(Expr x, bool quick) {
  if (quick && x.bits() == 32)
    return quickRsqrt(x);
  return 1 / sqrt(x);
}

std::pair<Expr, Expr> scaledReciprocal(Expr x) {
  Expr size = abs(x);
  Expr scale = select(size > 0x1p126, 0.25, select(size < 0x1p-126, 0x1p24, x.constant(1)));
  return {scale, quickReciprocal(x * scale)};
}

} // namespace tegula::expandmath
