// The iterations of a loop that are to be in flight at a time.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// Returns how many iterations of `loop` are to be in flight: as many as its author asks for; else, for a
/// loop with a dot in its body, but not in a loop inside, the kernel's number; else one.
uint32_t stagesOf(mlir::scf::ForOp loop);

} // namespace tegula
