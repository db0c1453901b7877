// The registers that a kernel without products and atomic ops takes while it waits for what it loads.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// The registers of a thread at a kernel's fullest, estimated, without addresses and what is being computed.
struct LoadPressure {
  uint32_t registers = 0; ///< 0: it multiplies matrices, has atomic ops, or loads too little to be ordered
  bool isInLoop = false;
  bool reduces = false; ///< in such a loop
};

/// Returns the registers that `kernel` takes while it waits for tensors: in a loop that loads them in each
/// iteration for itself, those, what reductions take, what the loops around it carry and what was there
/// before; without a loop, all that is loaded.
LoadPressure loadPressureOf(mlir::func::FuncOp kernel);

} // namespace tegula
