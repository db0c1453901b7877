// An LLVM pass that makes neighbouring addresses share their arithmetic.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// Turns `base[sext(i | 512)]` into `(base[sext(i)])[512]` where i has no bit in common with 512.
///
/// A thread's accesses to one array differ by constants. InstCombine folds those into the index, as `or
/// disjoint`, also below the shifts that reach rows of a power of two; after the widening to 64 bits nothing
/// takes them out again, and each access would compute an address of its own. Apart, the part in i is
/// computed once and the constant becomes the immediate of the instruction. Widening distributes over a
/// disjoint or with a constant that is not negative, as it does over a sum that cannot overflow.
struct SplitAddressesPass : llvm::PassInfoMixin<SplitAddressesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace tegula
