// An LLVM pass that packs narrow elements where they are computed.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// Packs elements of 8 or 16 bits in the block that computes them, where a later one would.
///
/// The backend narrows two numbers by one instruction (`cvt.rn.bf16x2.f32`) where it sees them packed, and it
/// looks at one block. A wait for a copy ends a block, so that what a product multiplies after it was
/// narrowed number by number before: 64 instructions more for each step of attention, and a register for each
/// half.
struct PackEarlyPass : llvm::PassInfoMixin<PackEarlyPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace tegula
