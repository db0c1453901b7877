// The registers that a value of LLVM IR takes.
#pragma once

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Value.h"

namespace tegula {

/// Returns the 32-bit registers that hold a value: none for truths, which live in predicates.
inline unsigned registersOf(const llvm::Value &value, const llvm::DataLayout &layout) {
  constexpr unsigned registerBits = 32;
  if (!value.getType()->isSized() || value.getType()->isIntegerTy(1))
    return 0;
  return unsigned(llvm::divideCeil(layout.getTypeSizeInBits(value.getType()).getFixedValue(), registerBits));
}

} // namespace tegula
