// Patterns that let products of matrices add up what the author adds behind them.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Adds the pattern that makes `dot(a, b, c)` of `dot(a, b, 0) + c`. Each application reports a passed remark
/// `accumulate` of category `combine`.
void populateAccumulatePatterns(mlir::RewritePatternSet &patterns);

} // namespace tegula
