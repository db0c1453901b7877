// Functions of linked libraries: the op that calls one, and how a module names its libraries.
#pragma once

#include "dialect/tile/Tile.h"

namespace tegula::tile {

/// Returns whether `name` can be the name of a function in a library: letters, digits, `_`, `$` and `.`.
bool isSymbolName(llvm::StringRef name);

/// The attribute of a module with its libraries, and of a function in the `llvm` form that one of them is to
/// define.
inline constexpr llvm::StringLiteral LibrariesAttrName = "tile.libraries";
inline constexpr llvm::StringLiteral ExternAttrName = "tile.extern";

/// A library as a module names it.
struct LibraryName {
  llvm::StringRef name, path, digest;
};
/// Returns the libraries of a module, in order.
llvm::SmallVector<LibraryName> librariesOf(mlir::ModuleOp module);
/// Names the libraries of a module; none are no attribute.
void setLibraries(mlir::ModuleOp module, llvm::ArrayRef<LibraryName> libraries);

/// Checks these attributes where they stand.
mlir::LogicalResult verifyLibraries(mlir::Operation *op, mlir::Attribute value);
mlir::LogicalResult verifyExtern(mlir::Operation *op, mlir::Attribute value);

} // namespace tegula::tile

#define GET_OP_CLASSES
#include "dialect/tile/ops/ExternOps.h.inc"
