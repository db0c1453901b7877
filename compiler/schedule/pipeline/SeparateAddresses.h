// Addresses of loads that run ahead.
#pragma once

#include "compiler/schedule/pipeline/LoopSchedule.h"
#include "compiler/schedule/pipeline/StageAssignment.h"

#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Gives the loads of `stage` addresses of their own: what others need is computed again in their own time
/// and not kept until then. `loop` may become another.
void separateAddresses(mlir::RewriterBase &rewriter, mlir::scf::ForOp &loop, const LoopSchedule &schedule,
                       StageAssignment &stages, unsigned stage);

} // namespace tegula
