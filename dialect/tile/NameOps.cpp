#include "dialect/tile/NameOps.h"
#include "mlir/IR/Builders.h"

using namespace tegula::tile;

mlir::LogicalResult BindOp::verify() {
  // (bind_c1)
  if (bool(getValue()) == getConstant().has_value())
    return emitOpError("expected either a value or a constant");
  return mlir::success();
}

#define GET_OP_CLASSES
#include "dialect/tile/NameOps.cpp.inc"
