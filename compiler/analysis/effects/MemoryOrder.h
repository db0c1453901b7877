// The order of accesses of global memory: which ops order what others do, and which may come after which.
#pragma once

#include "dialect/tile/Tile.h"

namespace tegula {

/// True for an atomic op whose order includes `order` and holds for the whole program, whichever of its
/// threads carry the op out: one on a scalar, and a load or a store of a tensor. A tensor that is read and
/// written in one step orders what each thread does itself.
bool orders(mlir::Operation *op, tile::MemoryOrder order);

/// Returns whether `later` comes after `earlier`, so that a program that reaches both reaches it afterwards:
/// in one block, or in ops of one block.
bool comesAfter(mlir::Operation *later, mlir::Operation *earlier);

/// Returns whether a program may reach `later` after `earlier`: it comes after it, or the back edge of a loop
/// of the program leads to it. Programs have no order among themselves, also where one block runs several.
bool mayFollow(mlir::Operation *later, mlir::Operation *earlier);

/// Returns whether a program reaches one of the two at most: they stand on different sides of a branch that
/// is in no loop of the program.
bool areExclusive(mlir::Operation *a, mlir::Operation *b);

} // namespace tegula
