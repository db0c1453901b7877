// Patterns that find products of matrices, and let them add up what the author adds to them.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Adds the patterns that make `dot(a, b, c)` of `dot(a, b, 0) + c`, and `dot(a, b, 0)` of the sum of outer
/// products that it is. Each application reports a passed remark of category `combine`: `accumulate` or
/// `outer-products`.
void populateDotPatterns(mlir::RewritePatternSet &patterns);

} // namespace tegula
