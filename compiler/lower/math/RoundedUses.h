// Asks whether the last bits of a float reach memory.
#pragma once

#include "mlir/IR/Value.h"

namespace tegula {

/// Returns whether all that is computed from `value`, an f32 or a tensor of them, is rounded to 16 bits or
/// fewer before anything else than sums, products, quotients and extrema is made of it. A difference of a few
/// units in its last place is not to be seen then. Differences of nearly equal numbers, comparisons and
/// products of matrices magnify one: where there are such the answer is no.
bool areUsesRounded(mlir::Value value);

} // namespace tegula
