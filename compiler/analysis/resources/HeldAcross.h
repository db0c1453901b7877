// Values that threads hold in registers while a product is computed.
#pragma once

#include "dialect/tile/Tile.h"

namespace tegula {

/// Returns the floats that are computed before `dot`, by another dot or element by element, and used after it
/// in the same iteration: weights of attention's backward pass, which wait for the slopes.
llvm::SmallVector<mlir::Value> heldAcross(tile::DotOp dot);

} // namespace tegula
