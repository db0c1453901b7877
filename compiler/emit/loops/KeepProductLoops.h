// An LLVM pass that keeps the assembler from unrolling loops of products.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// Marks loops with a product of warp groups (`wgmma`), and those that `split-dots` makes of long products of
/// threads, as not to be unrolled: their PTX says `.pragma "nounroll"`.
///
/// ptxas unrolls the former by four otherwise, and takes most of its time to place the accumulators of the
/// copies, which have to lie in a row: on an H200's kernels of Inductor's matmul template 1.8 s instead of
/// 0.11, 2.3 instead of 0.07. Such a loop has nothing to win: its products wait for each other, and its loads
/// are in flight by the schedule. The latter it has left alone so far; unrolled they would be what they were
/// made of.
struct KeepProductLoopsPass : llvm::PassInfoMixin<KeepProductLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace tegula
