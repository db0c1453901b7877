// Numbers in the code of a thread.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tegula {

/// `value` in 32 bits.
inline mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc, uint32_t value) {
  return mlir::arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(value)));
}

} // namespace tegula
