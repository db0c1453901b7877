// The box of an array that an access reads or writes, as `tile.box` says it.
#pragma once

#include "compiler/analysis/Decision.h"
#include "compiler/analysis/integers/Polynomial.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <array>
#include <optional>

namespace tegula {

/// Names the attribute of a `tgpu.tma_copy` that lists the axes of its map, `array<i32>`, along which a box
/// may begin in front of the array, where the load's mask leaves out what is there. Along others the start is
/// known or trusted not to be negative, and the emulator checks it.
inline constexpr llvm::StringLiteral InFrontAttrName = "tile.in_front";

/// Names the attribute that says why a load or store has no box.
inline constexpr llvm::StringLiteral NoBoxAttrName = "tile.no_box";

/// A number that a launch knows: a parameter of the kernel, or a constant where `parameter` is null.
struct LaunchValue {
  mlir::Value parameter;
  int64_t constant = 0;
  bool operator==(const LaunchValue &) const = default;
};

/// Returns the largest power of two that is known to divide `number`; `MaxDivisibility` of zero.
int64_t divisibilityOf(const LaunchValue &number);

/// One axis of the array.
struct BoxAxis {
  LaunchValue stride;              ///< elements from one to the next
  std::optional<LaunchValue> size; ///< none where no mask says
  Polynomial start;                ///< of the box, in elements, over the symbols of the box
  int64_t multiple = 1;            ///< of which the start is one: a power of two
  /// The mask leaves out what is below zero, which the box may have then.
  bool isBoundedInFront = false;
  /// `start` may not fit 32 bits: what does not lies behind `size`, which does, and so does the greatest that
  /// fits.
  bool isSaturated = false;
  /// Elements along it are neighbours in the array.
  bool isContiguous() const { return stride == LaunchValue{{}, 1}; }
};

/// The box that an access reads or writes.
struct Box {
  static constexpr Polynomial::Symbol Iteration = 0; ///< iteration number of the loop around the access

  mlir::Value base;
  /// The tensor's axes in its order; then those along which the box has one element.
  llvm::SmallVector<BoxAxis, 4> axes;
  /// The induction variable, its first value and its step; null where no start depends on it.
  mlir::Value counter, first, step;
  llvm::SmallVector<mlir::Value> symbols{mlir::Value()}; ///< the first: `Iteration`

  /// Reads what `op` says.
  static Box of(tile::BoxOp op);

  /// Writes it down in front of what `builder` makes next. Symbols keep their order.
  tile::BoxOp write(mlir::OpBuilder &builder, mlir::Location loc) const;

  /// Returns where the box begins along `axis`, an i32 that `builder` computes.
  mlir::Value startOf(const BoxAxis &axis, mlir::OpBuilder &builder, mlir::Location loc) const;

  /// Returns the values that `startOf` computes a coordinate from, besides the loop's own counter and bounds.
  llvm::SmallVector<mlir::Value> valuesIn(const BoxAxis &axis) const;

  /// True if the strides, but for that of `contiguous`, an axis of the box, are known to be multiples of
  /// `elements`.
  bool areStridesAligned(const BoxAxis &contiguous, int64_t elements) const;
};

/// Names the attribute that says what to change for that; there is none where no remarks are made.
inline constexpr llvm::StringLiteral NoBoxAdviceAttrName = "tile.no_box_advice";

/// Says at the load or store `access` why it has no box.
void sayNoBox(mlir::Operation *access, const Reason &why);
/// Why the load or store `access` has no box.
Reason whyNoBox(mlir::Operation *access);

/// Returns the box that the load or store `access` has in addition to its pointers.
template <typename Access> Decision<Box> boxOf(Access access) {
  if (mlir::Value box = access.getBox())
    return Box::of(box.getDefiningOp<tile::BoxOp>());
  return whyNoBox(access);
}

/// Takes the box from the load or store `access`, or the reason why it has none.
template <typename Access> void dropBox(Access access) {
  access.getBoxMutable().clear();
  access->removeAttr(NoBoxAttrName);
  access->removeAttr(NoBoxAdviceAttrName);
}

/// Erases the boxes of `kernel` that no access has any more.
void eraseUnusedBoxes(mlir::func::FuncOp kernel);

} // namespace tegula
