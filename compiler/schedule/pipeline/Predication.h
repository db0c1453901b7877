// Ops of iterations that there may not be.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace tegula {

/// The operand that says whether a copy, or what belongs to one, happens; nothing for ops that have none.
std::optional<mlir::MutableOperandRange> conditionOf(mlir::Operation *op);

/// `op` under the condition that there is such an iteration: loads gain a mask, copies do not happen, buffers
/// are not read, and what else there is has no effect that anybody sees (a slot is not read, a group may be
/// empty).
mlir::Operation *predicate(mlir::RewriterBase &rewriter, mlir::Operation *op, mlir::Value condition);

/// Folds what is known of the first iterations: bounds and indices of slots, which upstream leaves as sums of
/// constants. They are in `pipelined` and between it and `before`, or the block's start.
void foldScalars(mlir::Operation *before, mlir::scf::ForOp pipelined);

} // namespace tegula
