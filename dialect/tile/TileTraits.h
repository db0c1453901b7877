// Traits of tile ops that upstream has no word for.
#pragma once

#include "mlir/IR/OpDefinition.h"

namespace tegula::tile {

/// Checks that all operands and results are scalars, or all tensors of one shape and one encoding.
mlir::LogicalResult verifySameShapeAndLayout(mlir::Operation *op);

template <typename ConcreteOp>
struct SameShapeAndLayout : mlir::OpTrait::TraitBase<ConcreteOp, SameShapeAndLayout> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifySameShapeAndLayout(op); }
};

} // namespace tegula::tile
