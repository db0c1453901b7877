// An LLVM pass against 64-bit numbers that live where 32 bits would do.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// Offsets of 32 bits that are widened outside of a loop and added to a pointer inside are widened inside.
///
/// Hoisting takes the widening out of the loop, so that each offset lives through it in two registers. Where
/// the pointer moves, the addition is made in any case, and the widening comes with it for nothing:
/// `mul.wide` and `add` are one instruction (IMAD.WIDE). A loop around matrix products has a dozen such
/// offsets and no register to spare.
struct RepeatWideningPass : llvm::PassInfoMixin<RepeatWideningPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tegula
