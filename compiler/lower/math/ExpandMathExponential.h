// e^x taken apart, for the functions that continue with it.
#pragma once

#include "compiler/lower/math/ExpandMathFormat.h"

namespace tegula::expandmath {

/// e^rest * 2^exponent, with e^rest = 1 + rest + rest^2 * tail from 0.70 to 1.42.
struct Scaled {
  Expr rest;
  Expr tail;
  Expr exponent;

  Expr mantissa() const { return fma(rest, fma(rest, tail, 1), 1); }
  /// The mantissa less 1: to multiply by the mantissa with hardly a rounding error.
  Expr fraction() const { return fma(rest * rest, tail, rest); }
};

/// The bounds between which x is kept: e^x is surely 0 and surely infinite there, also when halved.
template <int Bits> constexpr double expLowest = Bits == 32 ? -104 : -746;
template <int Bits> constexpr double expHighest = Bits == 32 ? 90 : 711;

/// x as exponent * ln 2 + rest, |rest| <= ln(2) / 2.
template <int Bits> struct Reduced {
  Expr upper; ///< x less the product with the upper part of ln 2
  Expr rest;
  Rounded exponent;

  /// Returns what `rest` lost when it was rounded.
  Expr lost() const { return fma(exponent.asFloat, -Coefficients<Bits>::ln2[1], upper - rest); }
};

/// Takes multiples of ln 2 off x, for x within the bounds above.
template <int Bits> Reduced<Bits> reduceByLn2(Expr x) {
  using C = Coefficients<Bits>;
  Rounded n = roundProduct<Bits>(x, C::log2OfE[0]);
  Expr upper = fma(n.asFloat, -C::ln2[0], x);
  return {upper, fma(n.asFloat, -C::ln2[1], upper), n};
}

/// e^(x + low), for x within the bounds above and a low part of a few ulp of x.
template <int Bits> Scaled expScaled(Expr x, std::optional<Expr> low = std::nullopt) {
  Reduced<Bits> reduced = reduceByLn2<Bits>(x);
  Expr rest = reduced.rest;
  if (low)
    rest = rest + *low;
  return {rest, polynomial(rest, Coefficients<Bits>::expm1), toInteger<Bits>(reduced.exponent)};
}

} // namespace tegula::expandmath
