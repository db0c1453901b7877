// The plan of an op, for all who ask: how much shared memory it needs, what barriers it has, its code.
#pragma once

#include "compiler/analysis/plans/Executor.h"
#include "compiler/plan/BroadcastPlan.h"
#include "compiler/plan/ConversionPlan.h"
#include "compiler/plan/GatherPlan.h"
#include "compiler/plan/HistogramPlan.h"
#include "compiler/plan/ReductionPlan.h"
#include "compiler/plan/ScanPlan.h"
#include "compiler/target/Target.h"
#include "dialect/tgpu/Tgpu.h"

namespace tegula {

// `executor` is the op's: asked for once, as the op may be moved while it is lowered.

ConversionPlan planOf(tile::ConvertLayoutOp op, const Executor &executor);
/// The kind of the former without all of it.
ConversionRoute routeOf(tile::ConvertLayoutOp op, const Executor &executor);
ReductionPlan planOf(tile::ReduceOp op, const Executor &executor);
ScanPlan planOf(tile::ScanOp op, const Executor &executor);
ConversionPlan planOf(tile::ButterflyOp op, const Executor &executor);
HistogramPlan planOf(tile::HistogramOp op, const Executor &executor);
GatherPlan planOf(tile::GatherOp op, const Executor &executor);
SharedAccess planOf(tgpu::LocalLoadOp op, const Executor &executor);
SharedAccess planOf(tgpu::LocalStoreOp op, const Executor &executor);
SharedAccess planOf(tgpu::TmaStoreOp op, const Executor &executor);

/// The copies that a thread starts: `global` says which pointers, `shared` where to. Elements come in groups
/// of `contiguous` (see `AccessWidths`).
struct CopyPlan {
  AccessPlan global;
  SharedAccess shared;
  unsigned bytes = 0; ///< of one copy; hardware has no less than `MinCopyBytes`
};
CopyPlan planOf(tgpu::AsyncCopyOp op, llvm::ArrayRef<unsigned> contiguous, const Executor &executor);

/// Returns how the result of an atomic op is broadcast; `None` where it has no uses.
BroadcastPlan broadcastPlanOf(mlir::Operation *atomic, const Executor &executor);

/// Returns where the elements of a value are: its layout, or, for a scalar, that of one element which all
/// threads have.
LinearLayout placesOf(mlir::Type type, const Executor &executor);

} // namespace tegula
