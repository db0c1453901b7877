// The code of the region of `tile.reduce`, for one pair of elements.
#pragma once

#include "dialect/tile/Tile.h"

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// The region's results for one pair of elements, each side with a value for each operand in lowered form.
llvm::SmallVector<mlir::Value> inlineCombine(mlir::RewriterBase &rewriter, tile::ReduceOp op,
                                             mlir::ValueRange first, mlir::ValueRange second);

} // namespace tegula
