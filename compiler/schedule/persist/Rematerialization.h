// The values that live in registers across a reduction, and how rematerialising reduces their number.
#pragma once

#include "dialect/tile/Tile.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tegula {

/// Returns whether `value` follows from constants, scalars and the thread's place alone: it lives in a few
/// registers, whatever its layout says, and the backend computes it where it is used.
bool isIndexing(mlir::Value value);

/// The values that are there before a `tile.reduce` and used after it. Those that follow by a few cheap
/// elementwise ops from narrower ones need not be kept: they can be rematerialised, the ops repeated
/// afterwards.
///
/// Values that `isIndexing` holds for are left out.
class Rematerialization {
public:
  explicit Rematerialization(tile::ReduceOp reduce);

  /// Returns the registers of a thread that live across in the program as it is.
  uint32_t registersBefore() const { return before; }
  /// The same after rematerialising.
  uint32_t registersAfter() const { return after; }
  bool isPossible() const { return !anew.empty(); }

  /// Computes the values anew after the reduction for all uses there, from a `tile.opt_barrier` on.
  void apply();

private:
  using Ops = llvm::SmallSetVector<mlir::Operation *, 16>;
  using Values = llvm::SmallSetVector<mlir::Value, 8>;

  bool hasLaterUse(mlir::Value value) const;
  void replaceLaterUses(mlir::Value from, mlir::Value to);
  /// The ops that compute `value` from `from`, in no order; false where there are too many or dear ones.
  bool findCheapOps(mlir::Value value, Ops &ops, Values &from) const;
  void consider(mlir::Value value);

  tile::ReduceOp reduce;
  uint32_t before = 0, after = 0;
  llvm::SmallVector<mlir::Value> anew; ///< values to compute again
  Values kept, roots;
  llvm::SmallPtrSet<mlir::Operation *, 32> repeated; ///< what computes all of `anew`
};

} // namespace tegula
