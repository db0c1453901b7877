// Layouts for whole tensors of a kernel: the blocked ones, and how a type or value is given one.
#pragma once

#include "dialect/tile/Tile.h"

#include <optional>

namespace tegula {

/// The blocked layout of a tensor of `shape`, for blocks of `warps` warps: `perThread` elements of a thread,
/// the first number along `order[0]`, the second, where there is one, along `order[1]`; then lanes and then
/// warps along `order[0]` as far as the tensor reaches, then along `order[1]` and so on. What threads are
/// left over hold copies; what elements are left over become further registers. With `lastForWarps`, warps go
/// along that axis only when the others are covered: a reduction along it then stays inside a warp where it
/// can. Requires powers of two and `order` a permutation of the axes.
tile::LayoutAttr blockedLayout(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                               llvm::ArrayRef<unsigned> order, llvm::ArrayRef<int64_t> perThread,
                               unsigned warps, std::optional<unsigned> lastForWarps = std::nullopt);

/// The layout that a tensor has before anybody asks for another: one element a thread, row by row. Where a
/// thread has 256 or more of them, or warps that share `reducedAxis` would have many partial results of its
/// reduction to tell each other, warps leave that axis whole if the other sides have room for them.
tile::LayoutAttr defaultLayout(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape, unsigned warps,
                               std::optional<unsigned> reducedAxis = std::nullopt);

/// Reports the first tensor of `function` that has no layout, as passes after `assign-layouts` need one.
mlir::LogicalResult requireLayouts(mlir::Operation *function);

/// Gives the results of `op`, all tensors, another layout; a constant's value follows.
void setResultLayouts(mlir::Operation *op, tile::LayoutAttr layout);

/// Has `operand`, a tensor, come to its op in this layout, by a conversion in front of it where it has
/// another.
void convertOperand(mlir::OpOperand &operand, tile::LayoutAttr layout);

/// Gives the results of `op`, tensors, another layout, and those who use them conversions back.
void convertResults(mlir::Operation *op, tile::LayoutAttr layout);

} // namespace tegula
