// An LLVM pass over masks: what is left of a row is compared with constants.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// Makes `d > 512`, `d > 1024` of several comparisons `x + 512 < n`, `x + 1024 < n`, where d is the distance
/// from x to n, a number without a sign, and 0 where n is below x.
///
/// A mask's comparisons are needed before the loads and before the stores. ptxas has seven predicates, and
/// keeps the sums in registers, as it does not compute them again in another block: 32 of a row's registers
/// in softmax. The difference is one. So are columns that a causal mask compares with several rows: 16
/// registers in attention's backward pass, of which ptxas spilled 32 when three blocks were to share a
/// multiprocessor.
struct CompareDistancesPass : llvm::PassInfoMixin<CompareDistancesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace tegula
