// The language's promotion rules as pure functions: the type that an operation on two types is done in.
#pragma once

#include "compiler/frontend/values/Types.h"

#include <string>
#include <variant>

namespace tegula::eval {

/// One side of a binary operation. `isNumber`: a number known at compile time, whose own type gives way
/// to the other side's where it is of the same or a higher kind (bool < integer < float). A run-time
/// scalar is not a number in this sense.
struct Operand {
  Dtype dtype;
  bool isNumber = false;
};

/// The type of a number without a type of its own: int32 where it fits, else uint32, int64, uint64.
std::optional<Dtype> typeOfNumber(Int value);
/// float32 for zero, infinity, NaN and what is normal in it, else float64.
Dtype typeOfNumber(double value);

/// C's "usual arithmetic conversions" without the promotion of small types: the wider wins, between
/// equal widths the unsigned one. Both are integers.
Dtype promoteIntegers(Dtype a, Dtype b);

/// The type in which `a op b` is computed, or what is wrong. Neither is a pointer. `divides` for
/// `/`, `//` and `%`: 16-bit floats are computed in fp32, and integers must agree in sign.
std::variant<Dtype, std::string> promote(Operand a, Operand b, bool divides);

} // namespace tegula::eval
