// Taking multiples of pi / 2 off an argument of any size.
#pragma once

#include "compiler/lower/math/ExpandMathBuilder.h"

namespace tegula::expandmath {

/// a = quadrant * pi / 2 + rest modulo 2 pi, with |rest| <= pi / 4 and a little.
struct Quadrant {
  Expr rest;
  /// An integer as wide as the float, of which only the two lowest bits count.
  Expr index;
};

/// Reduces a >= 0. The rest is within an ulp for every finite a, and NaN for infinity and NaN.
Quadrant reduceByHalfPi(Expr a);

} // namespace tegula::expandmath
