// Order of global memory among the blocks of a cluster that share a program.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace tegula {

/// Returns whether all blocks of a cluster wait for each other at `op`.
bool isMeeting(mlir::Operation &op);

/// Adds a `tgpu.cluster_barrier` wherever one block could access global memory before another, of the same
/// cluster, has accessed the same bytes earlier in the program, and one of the two writes. Where rows are
/// gathered the blocks wait for each other anyway.
///
/// Each block accesses its own part of what `ofRows` do, and all that others do. Accesses through different
/// parameters are of different arrays or, in place, each of the same part, and of two writes none is of what
/// the other is: as `place-barriers` takes it for the threads of a block.
void addClusterBarriers(mlir::func::FuncOp kernel, const llvm::DenseSet<mlir::Operation *> &ofRows);

} // namespace tegula
