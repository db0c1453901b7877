// Iterations of which a mask leaves out every element.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Says in a remark of `plan-loops`, `iterations`, which loops run in every program from end to end though a
/// mask compares rows of the program with columns of the iteration: those of causal attention are half under
/// it, those of a window nearly all.
void reportMaskedIterations(mlir::func::FuncOp kernel);

} // namespace tegula
