// The tile dialect: block programs. See TileBase.td for what they are and docs generated from the .td
// files for each op.
#pragma once

#include "dialect/layout/LinearLayout.h"
#include "dialect/tile/TileTraits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialect/tile/TileDialect.h.inc"
#include "dialect/tile/TileEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/tile/TileTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/tile/TileAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialect/tile/TileOps.h.inc"

namespace tegula::tile {

/// The layout of a ranked tensor type, or null if it has none or `type` is a scalar.
LayoutAttr layoutOf(mlir::Type type);

/// `type` itself if it is a scalar, else its element type.
mlir::Type elementTypeOf(mlir::Type type);

/// A type of `like`'s shape and encoding with another element type; `element` itself if `like` is a scalar.
mlir::Type withElementType(mlir::Type like, mlir::Type element);

/// The pointee of a pointer or a tensor of pointers.
mlir::Type pointeeOf(mlir::Type pointerLike);

} // namespace tegula::tile
