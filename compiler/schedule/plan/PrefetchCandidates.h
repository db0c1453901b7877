// Which loads of a loop could be prefetched: run iterations ahead of the rest of it.
#pragma once

#include "dialect/tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

#include <string>

namespace tegula {

/// A load of a loop's body that depends only on which iteration it is.
struct PrefetchableLoad {
  tile::LoadOp load;
  /// Ops of the body without effects that the load's operands, and the carried values among these, come from.
  llvm::SmallSetVector<mlir::Operation *, 16> addresses;
  /// Positions of carried values that the load needs: pointers that every iteration moves on.
  llvm::SmallSetVector<unsigned, 4> carried;
};

struct PrefetchCandidates {
  llvm::SmallVector<PrefetchableLoad> loads;
  /// Why the first load that cannot run ahead cannot, or why none can; empty where nothing stands in the way.
  std::string obstacle;
};

/// Looks through the body of `loop`. A load may run ahead of a store only if the two go through different
/// parameters of the kernel: the author of a loop with `num_stages` says that those are different arrays.
PrefetchCandidates findPrefetchCandidates(mlir::scf::ForOp loop);

/// Loads of the body of `loop` that read the same in each iteration: their operands are from before it, and
/// nothing in it writes what they read, by the same rule where the author asked for stages, else nothing at
/// all.
llvm::SmallVector<tile::LoadOp> findFixedLoads(mlir::scf::ForOp loop);

/// Makes `load` read only where `condition` holds, a truth that the builder stands behind.
void maskLoad(mlir::OpBuilder &builder, tile::LoadOp load, mlir::Value condition);

} // namespace tegula
