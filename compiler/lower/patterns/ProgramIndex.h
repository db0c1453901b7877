// The code that computes this program's place in the grid.
#pragma once

#include "compiler/lower/patterns/LoweringState.h"

namespace tegula {

/// The program's number along `axis`, an i32: that of its block, unless programs share blocks. Not for
/// persistent kernels.
mlir::Value programId(mlir::OpBuilder &builder, mlir::Location loc, tile::Axis axis, LoweringState &state);

/// Returns the number of programs along `axis`, an i32.
mlir::Value numPrograms(mlir::OpBuilder &builder, mlir::Location loc, tile::Axis axis,
                        const LoweringState &state);

} // namespace tegula
