// The patterns of `combine` that stand in files of their own, a function for each.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Adds the patterns that move elementwise ops without layouts above the splats, or the broadcasts of
/// one shape, that feed them. Each application reports a passed remark `narrow` of category `combine`.
void populateNarrowPatterns(mlir::RewritePatternSet &patterns);

/// Adds the patterns that make `dot(a, b, c)` of `dot(a, b, 0) + c`, and `dot(a, b, 0)` of the sum of outer
/// products that it is, and those that multiply operands in the 16 bits that both were converted from. Each
/// application reports a passed remark of category `combine`: `accumulate`, `outer-products` or
/// `narrow-operands`.
void populateDotPatterns(mlir::RewritePatternSet &patterns);

/// Adds the pattern by which what a loop adds its own step to becomes the loop's counter and a distance.
void populateCounterPatterns(mlir::RewritePatternSet &patterns);

} // namespace tegula
