// An LLVM pass that decides, once and for all, which products and sums become one operation.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// A sum or difference of a product that nothing else uses becomes `llvm.fma` where both carry
/// `contract`; then the flag is taken off everything.
///
/// The backend would fuse much the same, but what it left would be written `mul.f32`, without a rounding,
/// and ptxas would go on fusing as it sees fit: results would differ between architectures, between
/// optimisation levels and from the emulator, which executes what is written.
struct FuseMultiplyAddPass : llvm::PassInfoMixin<FuseMultiplyAddPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tegula
