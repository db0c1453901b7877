// An LLVM pass that compares at the end of short loops.
#pragma once

#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace tegula {

/// Lets short loops compare at their end, behind a comparison before the first iteration: one branch an
/// iteration instead of two, and nothing between them that an iteration repeats.
///
/// Long loops stay as they are: a branch in a few hundred instructions is nothing, and ptxas, which turns
/// loops round by itself, finds other registers for them. On sm_80 and sm_90a some products of warps took 20
/// more, some as many less, and two kernels began to spill.
struct RotateLoopsPass : llvm::PassInfoMixin<RotateLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &analyses,
                              llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &updater);
};

} // namespace tegula
