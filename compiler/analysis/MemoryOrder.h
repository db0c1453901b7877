// Which ops touch global memory, and which of them order what others do.
#pragma once

#include "dialect/tile/Tile.h"

#include "llvm/ADT/DenseSet.h"

namespace tegula {

/// True for ops that read or write global memory.
bool accessesMemory(mlir::Operation *op);

/// True for an atomic op on a scalar, which one thread makes for the program, and whose order includes
/// `order`.
bool orders(mlir::Operation *op, tile::MemoryOrder order);

/// The atomic ops that no access of memory follows in the program: there is nothing for an acquire to hold
/// back.
llvm::DenseSet<mlir::Operation *> findLastAtomics(mlir::ModuleOp module);

} // namespace tegula
