// Patterns for integers that loops hand on.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Adds the pattern by which what a loop adds its own step to becomes the loop's counter and a distance.
void populateCounterPatterns(mlir::RewritePatternSet &patterns);

} // namespace tegula
