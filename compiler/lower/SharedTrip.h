// The code of a `SharedPlan`: registers go to shared memory and come back as others.
#pragma once

#include "compiler/lower/ConversionPlan.h"
#include "compiler/lower/LoweringState.h"

namespace tegula {

/// Writes `source`, the registers of one tensor, to the plan's places in `buffer`.
void storeToShared(mlir::OpBuilder &builder, mlir::Location loc, const SharedPlan &plan, mlir::Value buffer,
                   mlir::ValueRange source, ThreadIndex &threads);

/// Reads the registers of the new layout, of type `element`. A barrier must stand between the two.
llvm::SmallVector<mlir::Value> loadFromShared(mlir::OpBuilder &builder, mlir::Location loc,
                                              const SharedPlan &plan, mlir::Value buffer, mlir::Type element,
                                              ThreadIndex &threads);

/// `buffer`, an address in shared memory, moved by `bytes`.
mlir::Value addBytes(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer, uint32_t bytes);

} // namespace tegula
