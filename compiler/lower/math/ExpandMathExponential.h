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

/// Where e^x is surely 0 and surely infinite, also when halved: the bounds between which x is kept.
template <int Bits> constexpr double expLowest = Bits == 32 ? -104 : -746;
template <int Bits> constexpr double expHighest = Bits == 32 ? 90 : 711;

/// x as exponent * ln 2 + rest, |rest| <= ln(2) / 2, for x within the bounds above.
template <int Bits> std::pair<Expr, Rounded> reduceByLn2(Expr x) {
  using C = Coefficients<Bits>;
  Rounded n = roundProduct<Bits>(x, C::log2OfE[0]);
  Expr rest = fma(n.asFloat, -C::ln2[0], x);
  return {fma(n.asFloat, -C::ln2[1], rest), n};
}

/// e^(x + low), for x within the bounds above and a low part of a few ulp of x.
template <int Bits> Scaled expScaled(Expr x, std::optional<Expr> low = std::nullopt) {
  auto [rest, n] = reduceByLn2<Bits>(x);
  if (low)
    rest = rest + *low;
  return {rest, polynomial(rest, Coefficients<Bits>::expm1), toInteger<Bits>(n)};
}

} // namespace tegula::expandmath
