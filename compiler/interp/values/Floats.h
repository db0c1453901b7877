// Floats of every format as doubles, and back with one rounding.
//
// A double holds each value of the smaller formats, and has more than twice their digits: a sum, product,
// quotient or square root of two of them that is computed in double and then rounded to their format is the
// one that rounding the exact result gives (Figueroa, "When is double rounding innocuous?", 1995).
#pragma once

#include "compiler/interp/values/Tensor.h"

namespace tegula::interp {

/// The value of `bits`; exact.
double decodeFloat(Element::Kind kind, uint64_t bits);

/// The nearest value of the format, ties to even, or the next one towards zero. A NaN becomes the one that
/// the hardware makes: all bits set but the sign. What is beyond a format of 8 bits, infinities included,
/// becomes its largest finite value, as `cvt.satfinite` does.
uint64_t encodeFloat(Element::Kind kind, double value, bool towardZero = false);

/// Rounds the bits of an f32 to the nearest value of ten digits after the point, ties away from zero:
/// `cvt.rna.tf32`.
uint32_t roundToTf32(uint32_t bits);

/// a * b + c rounded once to the format `kind`, of which all three are.
uint64_t fusedMultiplyAdd(Element::Kind kind, double a, double b, double c);

/// An integer as a double that rounds to each smaller format as the integer itself does: where digits get
/// lost, the last one left is odd.
double roundToOdd(uint64_t magnitude, bool negative);

} // namespace tegula::interp
