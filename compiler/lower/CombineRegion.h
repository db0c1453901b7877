// The region of `tile.reduce`: what its function is like, and its code for one pair of elements.
#pragma once

#include "compiler/lower/ReductionPlan.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace tegula {

/// The `redux.sync` that combines a value of each lane of a warp as the region of `op` does, on its target.
/// Narrow integers take part as 32 bits, extended by their sign where the instruction is `min` or `max`.
std::optional<mlir::NVVM::ReduxKind> reduxOf(tile::ReduceOp op);

/// What a plan must know of the region.
CombineTraits combineTraitsOf(tile::ReduceOp op);

/// The region's results for one pair of elements, each side with a value for each operand in lowered form.
llvm::SmallVector<mlir::Value> inlineCombine(mlir::RewriterBase &rewriter, tile::ReduceOp op,
                                             mlir::ValueRange first, mlir::ValueRange second);

} // namespace tegula
