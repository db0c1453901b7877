// Products that stay in flight until the next iteration's have started.
#pragma once

#include "compiler/schedule/plan/OverlapPlan.h"

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Keeps the sums of `products`, one or more of the body of `loop`, in flight over its back edge: they are
/// handed over before it and waited for after it. In it one wait, the result and at the body's end, leaves
/// the products of its own iteration pending: those of the previous iteration have read their slots then.
/// Requires what `PrefetchPlan::inFlight` says.
tgpu::MmaWaitOp keepInFlight(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop,
                             llvm::ArrayRef<tgpu::MmaOp> products);

/// Keeps the late one of `products`, of the body of `loop`, in flight over its back edge. In it the wait for
/// the early one, the result, ends the late one of the previous iteration, too: its slots are free then.
tgpu::MmaWaitOp keepLateInFlight(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop,
                                 const OverlappedProducts &products);

} // namespace tegula
