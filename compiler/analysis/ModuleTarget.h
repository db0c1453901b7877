// The architecture that a module says it is compiled for.
#pragma once

#include "compiler/spec/Feature.h"
#include "compiler/target/Target.h"

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// Returns the target that `tile.target` names on `op` or the module around it; null where it is missing or
/// unknown.
const Target *targetOf(mlir::Operation *op);

/// Likewise, with an error at the module where there is none.
const Target *requireTarget(mlir::ModuleOp module);

/// Returns whether the module around `op` may be compiled to use `feature`: `tile.without` does not list it.
bool mayUse(mlir::Operation *op, Feature feature);

/// Returns true if the kernel around `op` may use TMA: its target has it, it is not told to do without, and
/// its programs have a block each.
bool mayUseTma(mlir::Operation *op);

} // namespace tegula
