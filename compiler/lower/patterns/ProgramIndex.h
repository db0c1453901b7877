// Where this program stands in the grid, as code.
#pragma once

#include "compiler/lower/patterns/LoweringState.h"

namespace tegula {

/// The program's number along `axis`, an i32: that of its block, unless programs share blocks. Not for
/// persistent kernels.
mlir::Value programId(mlir::OpBuilder &builder, mlir::Location loc, tile::Axis axis, LoweringState &state);

/// How many programs there are along `axis`, an i32.
mlir::Value numPrograms(mlir::OpBuilder &builder, mlir::Location loc, tile::Axis axis,
                        const LoweringState &state);

} // namespace tegula
