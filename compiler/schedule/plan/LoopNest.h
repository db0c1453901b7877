// The loops around a loop, what values depend on, and the scalars that a thread alone can compute there.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// Returns whether a thread alone can compute what `op` does, again and at any time.
bool isScalarOp(mlir::Operation *op);

/// Returns whether `value`, from outside of a loop, can be computed without memory, other threads or values
/// that the loops around it carry.
bool canComputeAlone(mlir::Value value);

/// Returns whether `isSource` holds for `value` or for anything that it is computed from, by loops and
/// branches included.
bool dependsOn(mlir::Value value, llvm::function_ref<bool(mlir::Value)> isSource);

/// Returns whether `value` is computed from arguments and constants alone, in the kernel's own block, so that
/// it is the same in all programs.
bool isSameForAllPrograms(mlir::Value value);

/// Returns the loop of `block` around the programs of a persistent kernel, which counts them from the number
/// of the thread block on; null where there is none.
mlir::scf::ForOp programsOf(mlir::Block &block);

/// Returns whether there are loops in `op`, a loop or a kernel.
bool hasLoops(mlir::Operation *op);

/// Returns the loops around `loop`, the outermost first; nothing where it is in anything else.
std::optional<llvm::SmallVector<mlir::scf::ForOp>> loopsAround(mlir::scf::ForOp loop);

/// Returns the op of the kernel's own block that `loop` is or is nested in.
mlir::Operation *outermostOf(mlir::scf::ForOp loop);

} // namespace tegula
