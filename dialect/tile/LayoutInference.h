// Rules by which the layouts of an op's operands follow from its result's, and the other way round. Verifiers
// ask whether the IR agrees with them; the distribute stage asks to find layouts that will.
#pragma once

#include "dialect/tile/Tile.h"

#include <optional>

namespace tegula::tile {

/// True for ops that compute each element of their results from the elements of their operands at the
/// same place, in `arith`, `math` and here: all their tensors have one shape and one layout. Ops that
/// touch memory element by element (`tile.load`, `tile.store`) are among them.
bool isElementwise(mlir::Operation *op);

/// Returns `layout` after axis `axis` of its tensor, of more than one axis, is reduced to a point and taken
/// away: `slice` of `dialect/layout/Layouts.h`.
LayoutAttr layoutWithoutAxis(LayoutAttr layout, unsigned axis);

/// Returns whether a scan along `axis` can use this layout: each of its bits moves along the axis by one bit,
/// another one each, and along no other axis, or not along it at all.
bool isScannable(LayoutAttr layout, unsigned axis);

/// The layout that operand `operandIndex` must have for results of layout `result` without data moving
/// between threads; for an elementwise op without results, that of the other operands.
///
/// For `tile.broadcast` the operand's is the result's with the repeated dimensions' coordinates set to
/// zero and registers that then hold copies left out.
///
/// For `tile.reduce` and `tile.split` many operands' layouts fit: of a reduction there is no answer here but
/// in `inferResultLayout`, of a split the one whose lowest bit of registers tells the two results apart. What
/// `tile.gather` picks from may have any.
/// Nothing where the operand is a scalar, where `result` is no layout of the op's shape, and for ops
/// whose layouts are not tied (`tile.convert_layout`, ops with regions or calls).
std::optional<LayoutAttr> inferOperandLayout(mlir::Operation *op, unsigned operandIndex, LayoutAttr result);

/// The layout of the op's tensor results when operand `operandIndex` has layout `operand`; nothing in
/// the same cases. `tile.broadcast` could have several: each thread gets the repeated elements as
/// further registers, the last dimension's first. `tile.join` puts the two sides into the lowest bit of
/// registers.
/// \post `inferOperandLayout(op, i, *inferResultLayout(op, i, l)) == l`, for `tile.broadcast` where no
/// basis of a register in l is zero, not for `tile.split`
std::optional<LayoutAttr> inferResultLayout(mlir::Operation *op, unsigned operandIndex, LayoutAttr operand);

/// True if a value of layout `operand` may be operand `operandIndex` of `op` with results of layout
/// `result`: it is what `inferOperandLayout` says, for `tile.broadcast` up to copies in registers.
bool layoutsAgree(mlir::Operation *op, unsigned operandIndex, LayoutAttr operand, LayoutAttr result);

} // namespace tegula::tile
