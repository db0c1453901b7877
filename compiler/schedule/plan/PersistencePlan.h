// Decides which kernels are to be persistent: a block of them runs several programs, one after the other.
#pragma once

#include "compiler/schedule/plan/SpecializationPlan.h"

namespace tegula {

/// Decides whether the blocks of the kernel that `loop` stands in are to run several programs, where its
/// loads are given away as `how` says. Programs must not depend on each other: a program that waits for
/// another may wait for one that comes later in the same block.
Decision<> mayPersist(mlir::scf::ForOp loop, const PrefetchPlan &plan, PlannedMemory &memory,
                      const Specialization &how);

} // namespace tegula
