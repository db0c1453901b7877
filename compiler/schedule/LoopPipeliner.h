// Carries a plan out: the loop in the form that runs loads ahead.
#pragma once

#include "compiler/schedule/LoopPlan.h"

namespace tegula {

/// Pipelines `loop` as `plan` says; it and the plan's ops are gone afterwards. Returns what is wrong with the
/// schedule that came of it, in which case the program is not to be used; empty where nothing is.
///
/// The new body: wait for the copies of this iteration; copy for the iteration farthest ahead, if there is
/// one; load what goes through registers for the next; compute this one from buffers; store for the next. So
/// buffers need one point where all threads meet, behind the wait.
std::string pipelineLoop(mlir::scf::ForOp loop, LoopPlan &plan);

} // namespace tegula
