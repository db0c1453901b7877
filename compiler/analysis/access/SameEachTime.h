// Values that no iteration of a loop changes, or that its number alone does.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// Returns whether nothing that `value` is computed from changes from one iteration of `loop` to the next;
/// its body may compute it nonetheless.
bool isSameEachTime(mlir::Value value, mlir::scf::ForOp loop);

/// Returns whether `value` follows from what is known before the loop and the number of the iteration:
/// nothing has to be loaded or computed in the iteration before.
bool followsCounter(mlir::Value value, mlir::scf::ForOp loop);

} // namespace tegula
