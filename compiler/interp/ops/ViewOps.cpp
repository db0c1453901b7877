// Arrays in memory, and the blocks of them that are read and written.
#include "compiler/interp/machine/Access.h"
#include "compiler/interp/machine/Boxes.h"
#include "dialect/tile/Tile.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tegula::interp {
namespace {

LogicalResult makeView(Machine &machine, const Step &step) {
  Tensor result(step.op->getResult(0).getType());
  for (unsigned i = 0; i < result.size(); ++i)
    result.setElement(i, machine.operand(step, i), 0);
  machine.setResult(step, std::move(result));
  return success();
}

LogicalResult baseOf(Machine &machine, const Step &step) {
  Tensor result(step.op->getResult(0).getType());
  result.setElement(0, machine.operand(step, 0), 0);
  machine.setResult(step, std::move(result));
  return success();
}

/// Returns the places of the block of `type` that the operands of an access mean, a view and where the block
/// starts in it. Along axes that are not checked all are inside.
template <typename Op> FailureOr<BlockPlaces> blockOf(Machine &machine, const Step &step, Type type) {
  auto op = cast<Op>(step.op);
  const Tensor &view = machine.operand(step, 0);
  const size_t rank = op.getStart().size();
  llvm::SmallVector<int64_t> start;
  for (unsigned axis = 0; axis < rank; ++axis) {
    const Tensor &at = machine.operand(step, 1 + axis);
    start.push_back(signExtend(at.bits.front(), 32));
    if (at.isUndefined(0) || llvm::is_contained(view.undefined, 1))
      return machine.fail(step,
                          std::string("the view or where its block starts is undefined") + undefinedHint);
  }
  BlockPlaces block(type);
  const uint64_t bytes = Element(type).bytes();
  llvm::ArrayRef<int64_t> shape = shapeOf(type);
  for (size_t i = 0; i < block.addresses.size(); ++i) {
    uint64_t address = view.bits[0], rest = i;
    bool inside = true;
    for (size_t axis = rank; axis-- > 0; rest /= uint64_t(shape[axis])) {
      const int64_t at = start[axis] + int64_t(rest % uint64_t(shape[axis]));
      address += uint64_t(at) * view.bits[1 + rank + axis] * bytes;
      if (llvm::is_contained(op.getChecked(), int32_t(axis)))
        inside = inside && at >= 0 && at < int64_t(view.bits[1 + axis]);
    }
    block.addresses.bits[i] = address;
    block.inside.bits[i] = inside;
  }
  return block;
}

/// Returns a NaN of `element`'s format.
uint64_t nanOf(Type element) {
  return APFloat::getNaN(cast<FloatType>(element).getFloatSemantics()).bitcastToAPInt().getZExtValue();
}

LogicalResult load(Machine &machine, const Step &step) {
  auto op = cast<tile::ViewLoadOp>(step.op);
  const FailureOr<BlockPlaces> block = blockOf<tile::ViewLoadOp>(machine, step, op.getType());
  if (failed(block))
    return failure();
  Tensor padding(op.getType());
  if (op.getPadding() == tile::Padding::NaN)
    padding.bits.assign(padding.size(), nanOf(op.getType().getElementType()));
  return readActive(machine, step, block->addresses, &block->inside,
                    op.getPadding() == tile::Padding::None ? nullptr : &padding, "load");
}

LogicalResult store(Machine &machine, const Step &step) {
  const Tensor &value = machine.operand(step, unsigned(step.operands.size() - 1));
  const FailureOr<BlockPlaces> block = blockOf<tile::ViewStoreOp>(machine, step, value.type);
  if (failed(block))
    return failure();
  return writeActive(machine, step, block->addresses, value, &block->inside, "store");
}

} // namespace

void addViewOps(HandlerTable &table) {
  addHandler<tile::ViewOp>(table, makeView);
  addHandler<tile::ViewBaseOp>(table, baseOf);
  addHandler<tile::ViewLoadOp>(table, load);
  addHandler<tile::ViewStoreOp>(table, store);
}

} // namespace tegula::interp
