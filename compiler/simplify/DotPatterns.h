// Patterns that find products of matrices, and let them add up what the author adds to them.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Adds the patterns that make `dot(a, b, c)` of `dot(a, b, 0) + c`, and `dot(a, b, 0)` of the sum of outer
/// products that it is, and those that multiply operands in the 16 bits that both were converted from. Each
/// application reports a passed remark of category `combine`: `accumulate`, `outer-products` or
/// `narrow-operands`.
void populateDotPatterns(mlir::RewritePatternSet &patterns);

} // namespace tegula
