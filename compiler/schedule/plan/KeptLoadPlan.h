// Decides which loads of a program are made for the next program while this one ends.
#pragma once

#include "compiler/schedule/plan/SpecializationPlan.h"

namespace tegula {

/// Returns the loads of `program` in front of its loops whose operands it keeps for the products of these:
/// queries of attention. `program` is the body of `kernel`, a persistent one, or of the one loop around those
/// of a producer, which then makes these loads by TMA for the next program while this one ends. As many as
/// there is shared memory for; all loops are planned.
std::vector<PlannedLoad> planKeptLoads(mlir::func::FuncOp kernel, mlir::Block &program);

} // namespace tegula
