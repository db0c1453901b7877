// The loads of a loop that could be prefetched: run iterations ahead of the rest of it.
#pragma once

#include "compiler/analysis/Decision.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace tegula {

/// The ops of a loop's body that the operands of a load are computed from.
struct LoadAddresses {
  /// Ops of the body that the load's operands, and the carried values among these, come from. They have no
  /// effects, except loads of single numbers: entries of a table that say where the load reads.
  llvm::SmallSetVector<mlir::Operation *, 16> ops;
  /// Positions of carried values that the load needs: pointers that every iteration moves on.
  llvm::SmallSetVector<unsigned, 4> carried;
  bool isSameEachTime = true; ///< it does not follow the iterations

  /// Returns the loads among `ops`.
  llvm::SmallVector<tile::LoadOp> indices() const;
};

/// Collects the addresses of `load`, in the body of `loop`; nothing where they depend on more than which
/// iteration it is.
std::optional<LoadAddresses> addressesOf(tile::LoadOp load, mlir::scf::ForOp loop);

struct PrefetchCandidates {
  llvm::SmallVector<tile::LoadOp> loads; ///< that depend only on which iteration it is
  /// Why the first load that cannot run ahead cannot, or why none can; nothing where all can.
  std::optional<Reason> obstacle;
};

/// Looks through the body of `loop`. A load may run ahead of a store only if the two go through different
/// parameters of the kernel: the author of a loop with `num_stages` says that those are different arrays.
/// Where only the kernel has stages, that is said of operands of dots alone, as in Triton. What is constant
/// while the kernel runs (`tl.const`) runs ahead of everything, except of a wait for the launch before.
PrefetchCandidates findPrefetchCandidates(mlir::scf::ForOp loop);

/// Loads of the body of `loop` that read the same in each iteration: their operands are from before it, and
/// nothing in it writes what they read, by the same rule where the author asked for stages, else nothing at
/// all.
llvm::SmallVector<tile::LoadOp> findFixedLoads(mlir::scf::ForOp loop);

/// Returns the first load of `loop` that stands under a condition and that a dot takes; null where there is
/// none. Such loads do not run ahead.
tile::LoadOp conditionalLoadOfDot(mlir::scf::ForOp loop);

/// Makes `load` read only where `condition` holds, for which the builder vouches.
void maskLoad(mlir::OpBuilder &builder, tile::LoadOp load, mlir::Value condition);

} // namespace tegula
