// Which ops touch global memory, and which of them order what others do.
#pragma once

#include "dialect/tile/Tile.h"

namespace tegula {

/// True for ops that read or write global memory.
bool accessesMemory(mlir::Operation *op);

/// True for an atomic op on a scalar, which one thread makes for the program, and whose order includes
/// `order`.
bool orders(mlir::Operation *op, tile::MemoryOrder order);

/// True for an atomic op, on a scalar or a tensor, whose order includes an acquire.
bool acquires(mlir::Operation *op);

/// True for ops by which a kernel asks for things of the device itself, whose answers are not known here: PTX by hand,
/// special registers, dependencies between launches.
bool asksOfDevice(mlir::Operation *op);

/// Whether `later` stands behind `earlier`, so that a program that comes to both comes to it afterwards: in
/// one block, or in ops of one block.
bool standsBehind(mlir::Operation *later, mlir::Operation *earlier);

/// Whether a program may come to `later` after `earlier`: it stands behind it, or a loop of the program comes
/// round to it. Programs have no order among themselves, also where one block runs several.
bool mayFollow(mlir::Operation *later, mlir::Operation *earlier);

} // namespace tegula
