// Which ops order what others do to global memory, and which may come after which.
#pragma once

#include "dialect/tile/Tile.h"

namespace tegula {

/// True for an atomic op on a scalar, which one thread makes for the program, and whose order includes
/// `order`.
bool orders(mlir::Operation *op, tile::MemoryOrder order);

/// Whether `later` stands behind `earlier`, so that a program that comes to both comes to it afterwards: in
/// one block, or in ops of one block.
bool standsBehind(mlir::Operation *later, mlir::Operation *earlier);

/// Whether a program may come to `later` after `earlier`: it stands behind it, or a loop of the program comes
/// round to it. Programs have no order among themselves, also where one block runs several.
bool mayFollow(mlir::Operation *later, mlir::Operation *earlier);

} // namespace tegula
