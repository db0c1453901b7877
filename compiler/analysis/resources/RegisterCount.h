// The registers that values take, as far as layouts tell.
#pragma once

#include "mlir/IR/Value.h"

namespace tegula {

/// Returns the bits of an element; a pointer has 64.
uint32_t bitsOfElement(mlir::Type element);

/// 32-bit registers of a thread that hold the elements of a tensor with a layout; 0 for truths, which live in
/// predicates, and for scalars, of which there are few.
uint32_t registersOf(mlir::Type type);
inline uint32_t registersOf(mlir::Value value) { return registersOf(value.getType()); }

} // namespace tegula
