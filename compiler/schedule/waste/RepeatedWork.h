// Work that a loop repeats where once would do.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Says in remarks of `plan-loops` what each iteration of a kernel's loops does, though once would do, or by
/// every thread:
/// - `reduce`: reductions across lanes whose results are only combined with those of the iterations before,
/// where the
///   tiles could be;
/// - `load`: loads of the same elements each time, which a store in the loop may change as far as is known;
/// - `scalar`: loads of single elements that follow each other in memory, in loops that compute with no
/// tensor.
///
/// The compiler leaves them: sums would be added in another order, or memory read that was written since.
void reportRepeatedWork(mlir::func::FuncOp kernel);

} // namespace tegula
