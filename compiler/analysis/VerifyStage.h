// One check for each stage of the flow: what holds after it.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

namespace tegula {

/// The stages whose IR is checked, in the order of the flow.
enum class VerifiedStage { Tile, Distributed, Scheduled, Llvm };

/// Reports an error at each op of `module` (up to a few) that is not as `stage` promises; Passes.td says
/// what that is. Failure when there was any.
mlir::LogicalResult verifyStage(mlir::ModuleOp module, VerifiedStage stage);

} // namespace tegula
