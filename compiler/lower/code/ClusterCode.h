// The blocks of a cluster: their numbers, and sums over them through distributed shared memory.
#pragma once

#include "mlir/IR/Builders.h"

namespace tegula {

/// Returns the number of this block among those of its cluster, which run a program together, and how many
/// they are.
mlir::Value clusterRank(mlir::OpBuilder &builder, mlir::Location loc);
mlir::Value clusterSize(mlir::OpBuilder &builder, mlir::Location loc);

/// Emits a barrier at which all threads of the cluster wait for each other; they see what the others wrote to
/// shared memory.
void emitClusterBarrier(mlir::OpBuilder &builder, mlir::Location loc);

/// Returns where `address`, 32 bits of this block's shared memory, lies in block `rank` of the cluster.
mlir::Value addressInBlock(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address,
                           mlir::Value rank);

/// The threads of a block that take part in a sum, all of it.
struct SummingThreads {
  mlir::Value thread; ///< the number of this one
  unsigned count;
};

/// Adds up `registers`, of one type, over the threads of this number in all blocks of the cluster, by rank,
/// and gives those of the block of rank 0 the sums. `scratch` has room for the registers of all threads of a
/// block.
llvm::SmallVector<mlir::Value> emitClusterSum(mlir::OpBuilder &builder, mlir::Location loc,
                                              mlir::ValueRange registers, mlir::Value scratch,
                                              const SummingThreads &threads);

} // namespace tegula
