// Facts about the parameters of a kernel that its launch gives.
#pragma once

#include "dialect/tile/Tile.h"

namespace tegula {

/// Returns whether `value`, which may be null, is a parameter of the kernel.
bool isParameter(mlir::Value value);

/// The facts of the kernel's parameter that `value` is; null of any other value, null itself among them, and
/// of parameters without.
tile::ParamAttr paramOf(mlir::Value value);

} // namespace tegula
