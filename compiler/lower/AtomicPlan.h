// What an atomic op takes beside its instructions: how results reach the threads that hold copies, and what
// must be waited for. Read off the op and its layout; no code.
#pragma once

#include "compiler/lower/ConversionPlan.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace tegula {

/// Of the threads that hold an element one carries the atomic op out, and the others learn the result from
/// it: by shuffles where all of them are in one warp, else through shared memory.
struct SpreadPlan {
  enum Kind { None, Shuffle, Shared } kind = None;
  ShufflePlan shuffle;
  SharedPlan shared; ///< from the layout to itself: who carries out stores, all load
};

/// Plans it for elements of `elementBytes` (1, 2, 4 or 8).
/// \post each register of each thread has what its owner has: `planAccess` says which thread and register
/// that is
SpreadPlan planSpread(const LinearLayout &layout, unsigned threadBits, unsigned elementBytes);

/// The same for a `tile.atomic_rmw` or `tile.atomic_cas`; `None` where nobody reads the result.
SpreadPlan spreadPlanOf(mlir::Operation *atomic, unsigned threadBits);

/// Where the elements of a value are: its layout, or, for a scalar, that of one element which all threads
/// have.
LinearLayout placesOf(mlir::Type type, unsigned threadBits);

/// The ops that no access of memory follows in the program: there is nothing for an acquire to hold back.
llvm::DenseSet<mlir::Operation *> findLastAtomics(mlir::ModuleOp module);

} // namespace tegula
