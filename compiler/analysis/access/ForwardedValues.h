// The values that branches and loops hand on: to their results, and to what their bodies begin with.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace tegula {

/// Adds the values that an `scf.if`, `scf.for` or `scf.while` may hand on as `value`, which is a result of it
/// or an argument of one of its regions. Returns false, and adds none, where `value` is neither, or counts
/// the iterations of an `scf.for`.
bool addForwarded(mlir::Value value, llvm::SmallVectorImpl<mlir::Value> &values);

/// Returns where a region op of `scf` carries its own operand, or that of its terminator: the argument of a
/// body, the result. Nothing for bounds, conditions and other ops.
llvm::SmallVector<mlir::Value, 2> carriedTo(mlir::OpOperand &use);

} // namespace tegula
