// The region of an op that combines scalars, where a function computed with tensors on the way.
#pragma once

#include "mlir/IR/Block.h"

namespace tegula::eval {

/// Makes scalars of all tensors of one element in `body`, and erases what nothing uses. What cannot be made
/// so stays.
void makeScalar(mlir::Block &body);

} // namespace tegula::eval
