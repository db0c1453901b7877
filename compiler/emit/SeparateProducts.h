// An LLVM pass against one mistake of ptxas: equal products of warp groups that it takes for one.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// Two products of one piece of PTX whose first operand is in the same registers get different ones: to a register of
/// the later product something is added that is 0, of which ptxas does not know it.
///
/// Of two `wgmma` with equal operands ptxas 13.0, and the assembler in the driver, make one, as they may, but the
/// sums of the other are then read from registers that are never written. A warp group with 128 rows of a matrix that
/// is the same in each of them, say of a number of the program, makes such products. ptxas looks through moves, and
/// through a shuffle of what is the same in all lanes; the size of the dynamic shared memory it takes as it comes.
struct SeparateProductsPass : llvm::PassInfoMixin<SeparateProductsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tegula
