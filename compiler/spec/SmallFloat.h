// Floats of 8 and 16 bits: what their bits mean, and which are nearest to a number.
//
// A sign, an exponent and a fraction. `float8e4b15`, `float8e4b8` and `float8e5b16` are those that no GPU
// computes with and the IR has no type for; they have no infinities. The last two have one NaN, in the place
// of -0; the first has none, and its largest number stands below its last code, as the language has it.
#pragma once

#include "compiler/spec/ScalarKind.h"

namespace tegula {

/// Ways to round a number to a narrower format.
enum class SmallRounding : uint8_t {
  ToNearestEven,
  ToNearestAway, ///< a tie goes to the larger magnitude
  TowardZero,
};

/// A format. Its codes are those of magnitudes: bits without the sign.
struct SmallFloat {
  int exponent, fraction; ///< bits of each
  int bias;               ///< of the exponent
  uint16_t largest;       ///< the code of the largest number
  uint16_t infinity;      ///< from this code on there are no numbers: infinity, then NaNs
  bool hasInfinity;       ///< else NaNs begin there
  bool saturates;         ///< what is beyond the largest number becomes that, infinities too
  uint16_t nan;           ///< the bits that a NaN becomes
  SmallRounding nearest =
      SmallRounding::ToNearestEven; ///< how the language rounds where nothing else is said

  uint16_t signBit() const { return uint16_t(1 << (exponent + fraction)); }
  /// Returns true if there is a NaN in the place of -0.
  bool hasNoMinusZero() const { return nan == signBit(); }

  /// The number that `bits` stand for.
  double valueOf(uint16_t bits) const;
  /// The nearest number; of a NaN `nan`.
  uint16_t bitsOf(double value, SmallRounding rounding) const;
  uint16_t bitsOf(double value) const { return bitsOf(value, nearest); }
};

/// The format of a float of 8 or 16 bits.
const SmallFloat &smallFloat(ScalarKind kind);

} // namespace tegula
