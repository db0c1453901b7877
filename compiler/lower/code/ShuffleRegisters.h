// Registers that move between the lanes of a warp: small elements by words, so that a shuffle moves several.
#pragma once

#include "compiler/lower/code/ThreadIndex.h"
#include "compiler/plan/ConversionPlan.h"

namespace tegula {

/// Returns the registers that `plan` makes of `source`. Elements of 8 and 16 bits move by words of
/// neighbouring registers, which `prmt` puts together anew, where there are enough of them for a word; all
/// others each by itself.
llvm::SmallVector<mlir::Value> shuffleRegisters(mlir::OpBuilder &builder, mlir::Location loc,
                                                const ShufflePlan &plan, mlir::ValueRange source,
                                                ThreadIndex &threads);

} // namespace tegula
