// An LLVM pass that packs narrow elements where they are computed.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// Elements of 8 or 16 bits that are packed into a register in a later block than the one that computes them
/// are packed there.
///
/// The backend narrows two numbers by one instruction (`cvt.rn.bf16x2.f32`) where it sees them packed, and it
/// looks at one block. A wait for a copy ends a block, so that what a product multiplies behind it was
/// narrowed number by number in front: 64 instructions more for each step of attention, and a register for
/// each half.
struct PackEarlyPass : llvm::PassInfoMixin<PackEarlyPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace tegula
