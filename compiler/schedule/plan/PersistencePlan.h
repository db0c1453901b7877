// Decides which kernels are to be persistent: a block of them runs several programs, one after the other.
#pragma once

#include "compiler/schedule/plan/SpecializationPlan.h"

namespace tegula {

/// Decides whether the blocks of the kernel that `loop` stands in are to run several programs. `loop` is the
/// first of those whose loads are given away, as `how` says, and all loops are planned. Programs must not
/// depend on each other: a program that waits for another may wait for one that comes later in the same
/// block.
Decision<> mayPersist(mlir::scf::ForOp loop, const Specialization &how);

} // namespace tegula
