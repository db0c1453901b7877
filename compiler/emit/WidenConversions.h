// An LLVM pass against one mistake of ptxas: upper halves of small integers that it takes for zeros.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// Floats that become integers of 8 or 16 bits, with which something is computed, do so by way of 32 bits,
/// with the limits of 16 that `cvt` has.
///
/// ptxas 13.0, and the assembler in the driver, take it that the result of `cvt.rzi.u16.f32` has zeros in the
/// upper half of its register, and compare all of that, but may have copied the lower half alone to a
/// register of which the upper one is anything: `%rs1 > 251` then holds for 0.
struct WidenConversionsPass : llvm::PassInfoMixin<WidenConversionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tegula
