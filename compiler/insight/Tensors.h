// Types of tensors as reports show them.
#pragma once

#include "mlir/IR/BuiltinTypes.h"

#include <cstdint>
#include <string>

namespace tegula::insight {

/// Spells an element type as Triton does, where it does.
std::string dtypeOf(mlir::Type type);

/// Returns the tensor that a value is, also while the product that makes it is computed; null for others.
mlir::RankedTensorType tensorOf(mlir::Type type);

/// Returns the registers of 32 bits that a thread needs for a tensor, elements that several of its registers
/// hold counted once; 0 where it has no layout.
uint32_t registersOf(mlir::RankedTensorType tensor);

} // namespace tegula::insight
