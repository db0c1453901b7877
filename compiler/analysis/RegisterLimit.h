// How many registers a thread of a kernel can have.
#pragma once

#include "compiler/target/Target.h"

#include "mlir/IR/Operation.h"

namespace tegula {

/// Of the kernel that `op` is or stands in: what the instruction set allows, the thread's share, or what the
/// caller says.
uint32_t registerLimit(mlir::Operation *op, const Target &target);

} // namespace tegula
