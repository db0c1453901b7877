// The region of `tile.reduce` and `tile.scan`: what its function is like.
#pragma once

#include "compiler/plan/ReductionPlan.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <optional>

namespace tegula {

/// The `redux.sync` that combines a value of each lane of a warp as the region of `op` does, on its target.
/// Narrow integers take part as 32 bits, extended by their sign where the instruction is `min` or `max`.
std::optional<mlir::NVVM::ReduxKind> reduxOf(tile::ReduceOp op);

/// True where result i of the region is an op whose operands, elements i of the two sides, may change places,
/// and the region has no effect.
bool isSymmetric(mlir::Block &combine);

/// Returns the traits of the region that a plan must know.
CombineTraits combineTraitsOf(tile::ReduceOp op);

} // namespace tegula
