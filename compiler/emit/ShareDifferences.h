// An LLVM pass that makes differences of indices share their arithmetic.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// The depth to which sums are taken apart: an index is the sum of a block's start, a thread's part and a
/// register's constant.
constexpr unsigned MaxSumDepth = 6;

/// Turns `(m | 8) - (n | 8)`, `m - (n | 8)` and the like into `d`, `d - 8`, where d is m - n and the ors are
/// disjoint: sums. Equal ones are one then, and so is what is made of them.
///
/// A mask or a bias may depend on how far a row is from a column. Of 64 elements that a thread has of a
/// product of 64 by 64 there are 34 distances, each of which would be computed, compared and converted once
/// for each element: attention to a window of 1024 keys took 1174 instructions a step, and takes 943.
struct ShareDifferencesPass : llvm::PassInfoMixin<ShareDifferencesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tegula
