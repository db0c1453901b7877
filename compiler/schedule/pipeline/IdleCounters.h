// What is left of addresses in a loop whose loads others make.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"

namespace tegula {

/// Erases the ops of the body of `loop` that nobody uses, but those that `isKept`.
void eraseDead(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop,
               llvm::function_ref<bool(mlir::Operation *)> isKept);

/// What `loop` carries only to go on counting, as pointers that nobody loads through any more, it carries no
/// longer: the result is the loop afterwards, and `kept` has the positions of the carried values that are
/// left, before and after.
mlir::scf::ForOp dropIdleCounters(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop,
                                  llvm::DenseMap<unsigned, unsigned> &kept);

} // namespace tegula
