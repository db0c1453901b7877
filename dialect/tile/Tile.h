// The tile dialect: block programs. See TileBase.td for what they are and docs generated from the .td
// files for each op.
#pragma once

#include "dialect/layout/Places.h"
#include "dialect/tile/Effects.h"
#include "dialect/tile/TileTraits.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tegula {

/// Hashes a layout for MLIR's tables of attributes.
inline llvm::hash_code hash_value(const LinearLayout &layout) { return llvm::hash_code(layout.hash()); }

namespace tile {

/// The most elements that a tensor may have: the language's own limit.
inline constexpr int64_t MaxTensorElements = int64_t(1) << 20;

/// True for 1 to `MaxTensorRank` static sides, each a power of two, `MaxTensorElements` elements in all.
bool hasTileShape(mlir::ShapedType type);

/// The one form of a map in which equal maps compare equal: a map of threads lists the axes register,
/// lane, warp, block in this order, each present, and dim0, dim1, ... in order. Other maps as they are.
LinearLayout canonicalLayout(LinearLayout layout);

/// The resource of `tile.print` and `tile.assert`: ordered among themselves, no memory a load could see.
struct DeviceOutput : mlir::SideEffects::Resource::Base<DeviceOutput> {
  llvm::StringRef getName() final { return "<DeviceOutput>"; }
};

/// The resource of `tile.assume`, so that it stays although it computes nothing.
struct Assumptions : mlir::SideEffects::Resource::Base<Assumptions> {
  llvm::StringRef getName() final { return "<Assumptions>"; }
};

} // namespace tile
} // namespace tegula

#include "dialect/tile/TileDialect.h.inc"

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

/// Returns the first op that keeps `body` from being the code of scalars that any number of threads may run,
/// or null: nothing makes a tensor, and nothing has an effect, except assertions and prints.
mlir::Operation *firstThatIsNoScalarCode(mlir::Block &body);

/// A type of `like`'s shape and encoding with another element type; `element` itself if `like` is a scalar.
mlir::Type withElementType(mlir::Type like, mlir::Type element);

/// A type of `tensor`'s shape and elements with another layout; none for null.
mlir::RankedTensorType withLayout(mlir::Type tensor, LayoutAttr layout);

/// True for elements `a` and `b` of which products may be added up in `sum`.
bool mayMultiply(mlir::Type a, mlir::Type b, mlir::Type sum);

/// The pointee of a pointer or a tensor of pointers.
mlir::Type pointeeOf(mlir::Type pointerLike);

} // namespace tegula::tile
