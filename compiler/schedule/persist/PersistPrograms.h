// Kernels whose blocks run several programs one after the other (persistent kernels).
//
// A launch then has as many blocks as run at once, and block b of B runs programs b, b + B, b + 2B...: with warps that
// only load, what the next program multiplies first is brought while the last one's results are stored, and barriers
// are made and instructions fetched once.
#pragma once

#include "compiler/schedule/plan/SpecializationPlan.h"

namespace tegula {

/// Why the blocks of the kernel that `loop` stands in run one program each, where its loads are given away as `how`
/// says; empty where they are to run several. Programs must not depend on each other: whoever waits for another
/// program may wait for one that comes later in the same block.
std::string whyNotPersistent(mlir::scf::ForOp loop, const PrefetchPlan &plan, const Specialization &how);

/// Puts what `kernel` does for a program into a loop round the programs of a block, so many of which share a
/// multiprocessor; but for buffers, and scalars that are the same for all. What was planned for loops stays as it is.
void persistPrograms(mlir::func::FuncOp kernel, unsigned blocksPerMultiprocessor);

} // namespace tegula
