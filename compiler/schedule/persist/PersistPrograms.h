// Kernels whose blocks run several programs one after the other (persistent kernels).
//
// A launch then has as many blocks as run at once, and block b of B runs programs b, b + B, b + 2B...: with
// producer warps, what the next program multiplies first is loaded while the last one's results are stored,
// and barriers are made and instructions fetched once.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Puts what `kernel` does for a program into a loop around the programs of a block, so many of which share a
/// multiprocessor; except buffers, and scalars that are the same for all. What was planned for loops stays
/// as it is.
void persistPrograms(mlir::func::FuncOp kernel, unsigned blocksPerMultiprocessor);

} // namespace tegula
