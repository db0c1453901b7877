// The layouts of values that cross the border of a loop or branch.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tegula {

/// The types that the operands of an op must have, whatever becomes of the values that they are now.
using OperandTypes = llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Type>>;

/// Gives each tensor that `scf.for` or `scf.while` carries or `scf.if` yields the layout of a dot that
/// adds to it, an access that uses it, or what it is combined with, where there is one; and says so in
/// `wanted` for the ops that hand it over. What happens inside a loop counts before what happens after it.
/// Only types of block arguments and results change here, the operands are for the caller to bring in line.
void chooseRegionLayouts(mlir::func::FuncOp function, OperandTypes &wanted);

} // namespace tegula
