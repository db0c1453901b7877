// The root of a pointer: the parameter of a kernel, or the choice among some, that it comes from.
#pragma once

#include "mlir/IR/Value.h"

namespace tegula {

/// The value, a parameter of the kernel as a rule, that all pointers of `pointer` are computed from, through
/// arithmetic, branches and what loops carry; null if there is no single one, or it was loaded. A result of a
/// branch where it is one of several parameters that are used for nothing but to be chosen there: what comes
/// from it comes from no other base.
///
/// Different parameters are taken for different arrays, as Triton takes them: by loops that load ahead, and
/// where threads wait for each other's accesses.
mlir::Value baseOfPointer(mlir::Value pointer);

/// Returns whether nothing writes what `base`, which may be null, points to while the kernel runs, as the author
/// says of the parameter that it is (`tl.const`).
bool isConstantData(mlir::Value base);

} // namespace tegula
