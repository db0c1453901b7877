// The 8-bit floats that no GPU computes with and the IR has no type for: what their bits mean.
//
// A sign, an exponent and a fraction, without infinities. `float8e4b8` and `float8e5b16` have one NaN, in the
// place of -0; `float8e4b15` has none, and its largest number stands below its last code, as the language has
// it.
#pragma once

#include "compiler/spec/KernelSpec.h"

namespace tegula {

/// How a number becomes one of a narrower format.
enum class PackedRounding : uint8_t {
  ToNearestEven,
  ToNearestAway, ///< a tie goes to the larger magnitude
  TowardZero,
};

struct PackedFormat {
  int fraction;           ///< bits of it
  int bias;               ///< of the exponent
  uint8_t largest;        ///< the code of the largest number, which everything beyond becomes
  bool hasNan;            ///< 0x80, so that there is no -0
  PackedRounding nearest; ///< how the language rounds to it where nothing else is said
};

/// Of a type for which `isPackedKind` holds.
PackedFormat packedFormat(ScalarKind kind);
bool isPackedKind(ScalarKind kind);

/// The number that `bits` stands for.
double packedValue(ScalarKind kind, uint8_t bits);
/// The code that is nearest to `value`, rounded as the language does; where the format has no NaN, one
/// becomes the largest number.
uint8_t packedBits(ScalarKind kind, double value);

} // namespace tegula
