// The plan of an op, for all who ask: how much shared memory it needs, what barriers it has, its code.
#pragma once

#include "compiler/plan/ConversionPlan.h"
#include "compiler/plan/ReductionPlan.h"
#include "compiler/plan/SpreadPlan.h"
#include "compiler/target/Target.h"
#include "dialect/tgpu/Tgpu.h"

namespace tegula {

/// Bits of a thread's number where a program has `warps` warps.
unsigned threadBitsOf(unsigned warps);

ConversionPlan planOf(tile::ConvertLayoutOp op, unsigned threadBits);
ReductionPlan planOf(tile::ReduceOp op, unsigned threadBits);
SharedAccess planOf(tgpu::LocalLoadOp op, unsigned threadBits);
SharedAccess planOf(tgpu::LocalStoreOp op, unsigned threadBits);

/// What copies a thread starts: `global` says which pointers, `shared` where to. Elements come in groups of
/// `contiguous` (see `AccessWidths`).
struct CopyPlan {
  AccessPlan global;
  SharedAccess shared;
  unsigned bytes = 0; ///< of one copy; hardware has no less than `MinCopyBytes`
};
CopyPlan planOf(tgpu::AsyncCopyOp op, llvm::ArrayRef<unsigned> contiguous, unsigned threadBits);

/// How the result of a `tile.atomic_rmw` or `tile.atomic_cas` spreads; `None` where nobody reads it.
SpreadPlan spreadPlanOf(mlir::Operation *atomic, unsigned threadBits);

/// Where the elements of a value are: its layout, or, for a scalar, that of one element which all threads
/// have.
LinearLayout placesOf(mlir::Type type, unsigned threadBits);

} // namespace tegula
