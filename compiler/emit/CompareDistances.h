// An LLVM pass over masks: what is left of a row is compared with constants.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// Makes `d > 512`, `d > 1024` of several comparisons `x + 512 < n`, `x + 1024 < n`, where d is the distance
/// from x to n, 0 where n is below x, and x is not negative.
///
/// A mask's comparisons are needed before the loads and before the stores. ptxas has seven predicates, and
/// keeps the sums in registers, as it does not compute them again in another block: 32 of a row's registers
/// in softmax. The difference is one.
struct CompareDistancesPass : llvm::PassInfoMixin<CompareDistancesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace tegula
