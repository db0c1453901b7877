// An LLVM pass that orders arithmetic by who needs it.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// Moves each instruction that only computes to where its block first needs it, just after its operands.
///
/// A tensor op was written out register by register, so that all registers of one op precede the first of the
/// next: hundreds of values live where a few would do, and ptxas, which reads the order as a wish, has to
/// take it apart again (or to spill). Going from each access, shuffle and barrier to what it needs, depth
/// first, an element is finished before the next is begun. Accesses and all else with effects keep their
/// order: loads moved to where their values are needed cost up to 2% of the rate, since arithmetic came
/// between them.
///
/// What a later store to global memory needs is not left to it where computing it at once frees more
/// registers than it takes: of two results of the same operands, the second is finished with the first, and
/// not held back with its operands until all of the first are stored. A backward pass of SwiGLU that stores
/// two gradients takes 64 registers so and not 85, and two blocks share a multiprocessor.
struct PlaceNearUsesPass : llvm::PassInfoMixin<PlaceNearUsesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tegula
