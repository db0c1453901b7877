#include "compiler/distribute/BlockedChoice.h"

#include "dialect/layout/Layouts.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

/// Spreads `threads` over the room that each axis has, in order; what is left over goes to the last one.
static void spread(int32_t threads, ArrayRef<unsigned> order, ArrayRef<int32_t> room,
                   std::vector<int32_t> &box) {
  for (unsigned axis : order) {
    box[axis] = axis == order.back() ? threads : std::min(threads, std::max(1, room[axis]));
    threads /= box[axis];
  }
}

tile::LayoutAttr blockedLayout(MLIRContext *context, ArrayRef<int64_t> shape, ArrayRef<unsigned> order,
                               ArrayRef<int64_t> perThread, unsigned warps,
                               std::optional<unsigned> lastForWarps) {
  size_t rank = shape.size();
  std::vector<int32_t> sides(shape.begin(), shape.end()), registers(rank, 1), lanes(rank, 1),
      warpSides(rank, 1);
  for (auto [axis, elements] : llvm::zip(order, perThread))
    registers[axis] = int32_t(elements);
  SmallVector<int32_t> room;
  for (size_t axis = 0; axis < rank; ++axis)
    room.push_back(sides[axis] / registers[axis]);
  spread(int32_t(1) << LaneBits, order, room, lanes);
  for (size_t axis = 0; axis < rank; ++axis)
    room[axis] /= lanes[axis];
  SmallVector<unsigned> warpOrder(order);
  if (lastForWarps) {
    llvm::erase(warpOrder, *lastForWarps);
    warpOrder.push_back(*lastForWarps);
  }
  spread(int32_t(warps), warpOrder, room, warpSides);
  return tile::LayoutAttr::get(context, blocked(sides, registers, lanes, warpSides,
                                                std::vector<unsigned>(order.begin(), order.end())));
}

/// Elements of a tensor on a thread from which on instructions are saved where they can be: a thread has 255
/// registers.
static constexpr int64_t HugeElements = 256;
/// Partial results from which on warps are not to tell each other theirs: 64 KiB of 32 bits each.
static constexpr int64_t MostShared = 1 << 14;

/// Returns whether warps are to leave the elements along `axis`, which are reduced, in one warp.
static bool keepsWhole(ArrayRef<int64_t> shape, unsigned axis, unsigned warps) {
  // A reduction along rows that all warps share takes its steps between lanes for each row in each warp, and
  // each warp has a partial result of each row.
  int64_t elements = ShapedType::getNumElements(shape), side = shape[axis];
  int64_t sharing = std::min<int64_t>(warps, axis + 1 == shape.size() ? side >> LaneBits : side);
  return shape.size() > 1 &&
         (elements >= HugeElements * int64_t(warps) << LaneBits || elements / side * sharing >= MostShared);
}

tile::LayoutAttr defaultLayout(MLIRContext *context, ArrayRef<int64_t> shape, unsigned warps,
                               std::optional<unsigned> reducedAxis) {
  SmallVector<unsigned> order;
  for (unsigned axis = unsigned(shape.size()); axis-- > 0;)
    order.push_back(axis);
  if (reducedAxis && !keepsWhole(shape, *reducedAxis, warps))
    reducedAxis.reset();
  return blockedLayout(context, shape, order, /*perThread=*/{1}, warps, reducedAxis);
}

LogicalResult requireLayouts(Operation *function) {
  auto check = [](Operation *op, TypeRange types) {
    for (Type type : types)
      if (isa<TensorType>(type) && !tile::layoutOf(type))
        return WalkResult(op->emitError() << "expected every tensor to have a layout, found " << type
                                          << ": run `assign-layouts` first");
    return WalkResult::advance();
  };
  WalkResult walked = function->walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (check(op, block.getArgumentTypes()).wasInterrupted())
          return WalkResult::interrupt();
    return check(op, op->getResultTypes());
  });
  return failure(walked.wasInterrupted());
}

void setResultLayouts(Operation *op, tile::LayoutAttr layout) {
  for (Value result : op->getResults())
    result.setType(tile::withLayout(result.getType(), layout));
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    constant.setValueAttr(
        cast<DenseElementsAttr>(constant.getValue()).reshape(cast<ShapedType>(constant.getType())));
}

void convertOperand(OpOperand &operand, tile::LayoutAttr layout) {
  Type wanted = tile::withLayout(operand.get().getType(), layout);
  OpBuilder builder(operand.getOwner());
  if (wanted != operand.get().getType())
    operand.set(tile::ConvertLayoutOp::create(builder, operand.getOwner()->getLoc(), wanted, operand.get()));
}

void convertResults(Operation *op, tile::LayoutAttr layout) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    Type before = result.getType(), after = tile::withLayout(before, layout);
    if (before == after)
      continue;
    result.setType(after);
    auto back = tile::ConvertLayoutOp::create(builder, op->getLoc(), before, result);
    result.replaceAllUsesExcept(back, back);
  }
}

} // namespace tegula
