// Values that no iteration of a loop changes.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// Returns whether nothing that `value` is computed from changes from one iteration of `loop` to the next;
/// its body may compute it nonetheless.
bool isSameEachTime(mlir::Value value, mlir::scf::ForOp loop);

} // namespace tegula
