// Software pipelining: carries a plan out, so that loads of later iterations are in flight while one
// computes.
#pragma once

#include "compiler/analysis/Decision.h"
#include "compiler/schedule/pipeline/LoopSchedule.h"

namespace tegula {

/// Pipelines `loop` as `plan` says; it and the plan's ops are gone afterwards. Where the schedule that came
/// of it is refused the program is not to be used.
///
/// The new body: wait for the copies of this iteration; copy for the iteration farthest ahead, if there is
/// one; load what goes through registers for the next; compute this one from buffers; store for the next. So
/// buffers need one barrier, behind the wait. In front of the loop stands a prologue, for the first
/// iterations; there is no epilogue: what is ahead of the last iteration is predicated.
Decision<> pipelineLoop(mlir::scf::ForOp loop, LoopSchedule &plan);

} // namespace tegula
