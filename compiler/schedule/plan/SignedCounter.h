// Loops that count without sign, made to count with one.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// Returns whether `loop` counts without sign and can do so with one.
bool canCountWithSign(mlir::scf::ForOp loop);

/// The same loop with a counter of 64 bits and sign, where every bound of 32 bits without sign is a number of
/// its own; what the body sees is the counter's lower half. The ops of the body stay the same. Upstream's
/// unrolling and pipelining compute with bounds and know signed ones only.
mlir::scf::ForOp countWithSign(mlir::scf::ForOp loop);

} // namespace tegula
