// The inline PTX in LLVM IR, as passes ask for it.
#pragma once

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

namespace tegula {

/// Returns the text of a piece of inline PTX; empty for any other instruction.
inline llvm::StringRef assemblyText(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->isInlineAsm() ? llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString()
                                     : llvm::StringRef();
}

/// Returns true for inline PTX with products of warp groups.
inline bool isGroupProduct(const llvm::Instruction &instruction) {
  return assemblyText(instruction).contains("wgmma.mma_async");
}

} // namespace tegula
