// Patterns that compute on the smallest shape: above splats and broadcasts rather than below them.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Adds the patterns that move elementwise ops without layouts above the splats, or the broadcasts of
/// one shape, that feed them. Each application reports a passed remark `narrow` of category `combine`.
void populateNarrowPatterns(mlir::RewritePatternSet &patterns);

} // namespace tegula
