// Bounds of a float, as far as the ops that made it tell.
#pragma once

#include "mlir/IR/Value.h"

namespace tegula::expandmath {

/// No element of `value`, a float or a tensor of floats, is larger without its sign, unless it is NaN.
/// Infinity where nothing is known.
double largestMagnitude(mlir::Value value);

} // namespace tegula::expandmath
