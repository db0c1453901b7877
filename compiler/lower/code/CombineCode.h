// The code of a region of scalars: of `tile.reduce` or `tile.scan` for one pair of elements, of `tile.map`
// for one pack.
#pragma once

#include "dialect/tile/Tile.h"

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Returns what `region` yields for `arguments`; these and the results, of `types`, in lowered form.
llvm::SmallVector<mlir::Value> inlineScalars(mlir::RewriterBase &rewriter, mlir::Location loc,
                                             mlir::Region &region, mlir::ValueRange arguments,
                                             mlir::TypeRange types);

/// The results of the region `combine` for one pair of elements, each side with a value for each operand in
/// lowered form.
llvm::SmallVector<mlir::Value> inlineCombine(mlir::RewriterBase &rewriter, mlir::Location loc,
                                             mlir::Region &combine, mlir::ValueRange first,
                                             mlir::ValueRange second);

} // namespace tegula
