// What is left of addresses in a loop whose loads others make.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// Erases what nobody uses in the body of `loop`, and what the loop carries only to go on counting, as
/// pointers that nobody loads through any more. Returns the loop afterwards.
mlir::scf::ForOp dropIdleCounters(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop);

} // namespace tegula
