// An LLVM pass against divisions of 64 bits.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// A number that fits in 32 bits, divided by a 64-bit one of which nothing is known, is divided in 32 bits.
///
/// So are indices of a block divided by sizes of arrays, which programs of dynamic shapes pass as `i64`. The
/// hardware divides neither: 32 bits are some twenty instructions, 64 bits near a hundred, which ptxas takes
/// milliseconds to place. Magnitudes are divided, and signs put on afterwards; a divisor above 2^32 - 1
/// counts as 2^32 - 1, which is above any such dividend too.
struct NarrowDivisionsPass : llvm::PassInfoMixin<NarrowDivisionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace tegula
