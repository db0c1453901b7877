// Software pipelining: carries a plan out, so that loads of later iterations are in flight while one
// computes.
#pragma once

#include "compiler/schedule/pipeline/LoopSchedule.h"

namespace tegula {

/// Pipelines `loop` as `plan` says; it and the plan's ops are gone afterwards. Returns what is wrong with the
/// schedule that came of it, in which case the program is not to be used; empty where nothing is.
///
/// The new body: wait for the copies of this iteration; copy for the iteration farthest ahead, if there is
/// one; load what goes through registers for the next; compute this one from buffers; store for the next. So
/// buffers need one barrier, behind the wait. In front of the loop stands a prologue, for the first
/// iterations; there is no epilogue: what is ahead of the last iteration is predicated.
std::string pipelineLoop(mlir::scf::ForOp loop, LoopSchedule &plan);

} // namespace tegula
