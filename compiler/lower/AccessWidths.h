// How many elements of each memory access may share one instruction.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace tegula {

/// For a `tile.load`, `tile.store` or `tile.atomic_rmw` of a tensor, one number for each axis: elements come in aligned
/// groups of so many that lie side by side in memory, are aligned to the size of the group, and have one
/// mask bit. Ops that are absent have groups of one.
using AccessWidths = llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned, 4>>;

/// Asks the analyses about every access in `module`.
AccessWidths computeAccessWidths(mlir::ModuleOp module);

} // namespace tegula
