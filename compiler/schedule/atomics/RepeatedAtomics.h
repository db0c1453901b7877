// Atomic ops that change the same elements each time round a loop.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Says in a remark of each that its values could be combined first: memory is changed once then.
void reportRepeatedAtomics(mlir::func::FuncOp kernel);

} // namespace tegula
