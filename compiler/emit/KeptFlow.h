// The analyses that are left by LLVM passes that change instructions and no branch.
#pragma once

#include "llvm/IR/Analysis.h"

namespace tegula {

/// Returns the analyses that a pass keeps that has left control flow as it was, and all where it has
/// `changed` nothing.
inline llvm::PreservedAnalyses keepingFlow(bool changed = true) {
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace tegula
