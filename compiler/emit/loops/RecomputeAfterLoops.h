// An LLVM pass against values that wait in registers for a loop to end.
#pragma once

#include "llvm/IR/PassManager.h"

namespace tegula {

/// Computes index arithmetic anew behind a loop that is short of registers and does not use it.
///
/// The addresses and masks with which a kernel loads at its start are often those with which it stores at its
/// end. Equal values were made one, so that each lives through the loop between:
///
///     offset = row * stride                    offset = row * stride
///     ... load offset                          ... load offset
///     for ...                                  for ...
///     ... store offset                         ... store again(row) * again(stride)
///
/// Causal attention with heads of 128 carries 16 such offsets of 64 bits through both of its loops, next to
/// 128 registers of sums, and ptxas spilled. It recomputes little by itself. What is computed anew begins
/// with what the loop uses in any case, with arguments and with special registers, by way of pieces of
/// assembly (`again`) that the backend does not know to be copies: it would find the values equal once more.
struct RecomputeAfterLoopsPass : llvm::PassInfoMixin<RecomputeAfterLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace tegula
