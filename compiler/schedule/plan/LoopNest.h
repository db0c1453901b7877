// Where a loop stands, and which scalars a thread alone can compute there.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// Whether a thread alone can compute what `op` does, again and at any time.
bool isScalarOp(mlir::Operation *op);

/// Whether `value`, from outside of a loop, can be had without memory, without other threads and without what
/// the loops round it carry.
bool canComputeAlone(mlir::Value value);

/// The loops round `loop`, the outermost first; nothing where it stands in anything else.
std::optional<llvm::SmallVector<mlir::scf::ForOp>> loopsRound(mlir::scf::ForOp loop);

/// The op of the kernel's own block that `loop` is or stands in.
mlir::Operation *outermostOf(mlir::scf::ForOp loop);

} // namespace tegula
