// Operands of products that were converted to f32 for them.
#pragma once

#include "compiler/analysis/Decision.h"
#include "dialect/tile/Tile.h"

#include <optional>

namespace tegula {

/// Returns the element type of 16 bits that all elements of an operand were converted to f32 from; null where
/// they were not.
mlir::Type widenedFrom(mlir::Value operand);

/// Returns why a dot of f32, which a unit computes, might be one of 16 bits, at twice the rate: one operand
/// was converted from such, and the other is computed, so that its author may convert it. Nothing for other
/// dots.
std::optional<Reason> whyWidened(tile::DotOp dot);

} // namespace tegula
