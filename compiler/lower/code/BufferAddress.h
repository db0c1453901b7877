// The address of a slot of a buffer.
#pragma once

#include "dialect/tgpu/Tgpu.h"

#include "mlir/IR/Builders.h"

namespace tegula {

/// The address of slot `slot`, an i32, of the buffer of type `type` at `buffer`.
mlir::Value slotAddress(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer, mlir::Value slot,
                        tgpu::BufferType type);

} // namespace tegula
