// An LLVM pass against one mistake of ptxas: a borrow that it loses.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// A number of 64 bits is subtracted from the upper half of a product of 32 bits by subtracting the other way round and
/// changing the sign: `z - x` becomes `-(x - z)`, in PTX that LLVM does not fold.
///
/// Of `sub.s64 (cvt.u64.u32 (mul.hi.u32 a, b)), x` ptxas 13.0, and the assembler in the driver, make an `IMAD.HI.U32`
/// that adds the negated lower word of x. What negating carries over is not in the carry of that addition: where the
/// lower word of x is 0 the difference is 2^32 too small. On an H100 each of such x gives a wrong number, in every
/// spelling but those that ptxas does not see through: this one costs an instruction or two. A division by a
/// constant is such a product.
struct KeepBorrowsPass : llvm::PassInfoMixin<KeepBorrowsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tegula
