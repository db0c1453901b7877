// Dead induction variables: what is left of addresses in a loop whose loads a producer makes.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Erases the dead ops in the body of `loop`, and values that the loop carries only to go on counting, as
/// pointers that no op loads through any more. Returns the loop afterwards.
mlir::scf::ForOp dropDeadInductionVariables(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop);

} // namespace tegula
