// Reads the amounts of work in a launch off a kernel's tile IR.
#pragma once

#include "compiler/analysis/Decision.h"
#include "compiler/cost/Terms.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula::cost {

/// Returns the amounts of a launch of `kernel`, a function of stage `tile`. Nothing, and why, where the
/// number of iterations of a loop is not known before the launch.
///
/// Scalars, and the first element of each tensor, are evaluated for some programs of the grid. How often two
/// of them have one address says how many programs share what they load.
Decision<KernelTerms> termsOf(mlir::func::FuncOp kernel, const LaunchFacts &launch);

} // namespace tegula::cost
