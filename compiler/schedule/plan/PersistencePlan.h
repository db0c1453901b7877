// Decides which kernels are to be persistent: a block of them runs several programs, one after the other.
#pragma once

#include "compiler/schedule/plan/SpecializationPlan.h"

namespace tegula {

/// Decides whether the blocks of the kernel that `loop` stands in are to run several programs. `loop` is the
/// first of those whose loads are given away, as `how` says, and all loops are planned. Programs must not
/// depend on each other: a program that waits for another may wait for one that comes later in the same
/// block.
Decision<> mayPersist(mlir::scf::ForOp loop, const Specialization &how);

/// Returns the loads of `program` in front of its loops whose operands it keeps for the products of these:
/// queries of attention. `program` is the body of a persistent kernel, or of the one loop around those of a
/// producer, which then makes these loads by TMA for the next program while this one ends. As many as there
/// is shared memory for; all loops are planned.
std::vector<PlannedLoad> planKeptLoads(mlir::Block &program);

} // namespace tegula
