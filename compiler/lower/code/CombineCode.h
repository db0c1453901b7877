// The code of the region of `tile.reduce` or `tile.scan`, for one pair of elements.
#pragma once

#include "dialect/tile/Tile.h"

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// The results of the region `combine` for one pair of elements, each side with a value for each operand in
/// lowered form.
llvm::SmallVector<mlir::Value> inlineCombine(mlir::RewriterBase &rewriter, mlir::Location loc,
                                             mlir::Region &combine, mlir::ValueRange first,
                                             mlir::ValueRange second);

} // namespace tegula
