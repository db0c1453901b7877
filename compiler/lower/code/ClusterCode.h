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
/// Emit its halves.
void emitClusterArrive(mlir::OpBuilder &builder, mlir::Location loc);
void emitClusterWait(mlir::OpBuilder &builder, mlir::Location loc);

/// Returns where `address`, 32 bits of this block's shared memory, lies in block `rank` of the cluster.
mlir::Value addressInBlock(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address,
                           mlir::Value rank);

/// Numbers that the blocks of a cluster give each other, each a place of 8 bytes in every block:
///
///     number i of block r of S is at 8 * (i * S + r)
class GatheredNumbers {
public:
  /// `scratch` has room for those of `blocks`, the size of the cluster.
  GatheredNumbers(mlir::Value scratch, uint32_t blocks) : scratch(scratch), blocks(blocks) {}

  /// Gives `numbers`, the same in all threads of this block, to all blocks, and waits for those of the
  /// others. `thread` is this thread's number.
  void give(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange numbers, mlir::Value thread) const;
  /// Returns number `index` of block `rank`.
  mlir::Value take(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, unsigned index,
                   mlir::Value rank) const;

private:
  mlir::Value scratch;
  uint32_t blocks;
};

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
