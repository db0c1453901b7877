// An LLVM pass against one mistake of ptxas: small elements of a load that it takes from the wrong register.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// Loads of several elements of 8 or 16 bits, each of which is used by itself, become loads of words, of
/// which elements are taken by shifts.
///
/// Of `ld.shared.v2.b16` from an address that is the same in all threads ptxas 13.0, and the assembler in the
/// driver, keep the two elements in one uniform register and may read the second one from the register behind
/// it, which holds something else.
struct LoadWordsPass : llvm::PassInfoMixin<LoadWordsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tegula
