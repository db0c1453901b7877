// Arrays in memory, and the blocks of them that are read and written.
#include "compiler/interp/machine/Access.h"
#include "dialect/tile/Tile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula::interp {
namespace {

/// The addresses of a block's elements, and which lie inside along the axes that are checked.
struct Block {
  Tensor addresses;
  Tensor inside; ///< truths
};

LogicalResult makeView(Machine &machine, const Step &step) {
  Tensor result(step.op->getResult(0).getType());
  for (unsigned i = 0; i < result.size(); ++i) {
    const Tensor &part = machine.operand(step, i);
    result.bits[i] = part.bits.front();
    if (part.isUndefined(0))
      result.setUndefined(i);
  }
  machine.setResult(step, std::move(result));
  return success();
}

LogicalResult baseOf(Machine &machine, const Step &step) {
  const Tensor &view = machine.operand(step, 0);
  Tensor result(step.op->getResult(0).getType());
  result.bits[0] = view.bits.front();
  if (view.isUndefined(0))
    result.setUndefined(0);
  machine.setResult(step, std::move(result));
  return success();
}

/// Returns the block of `type` that the operands of an access mean, a view and where the block starts in it.
template <typename Op> std::optional<Block> blockOf(Machine &machine, const Step &step, Type type) {
  auto op = cast<Op>(step.op);
  const Tensor &view = machine.operand(step, 0);
  const size_t rank = op.getStart().size();
  llvm::SmallVector<int64_t> start;
  for (unsigned axis = 0; axis < rank; ++axis) {
    const Tensor &at = machine.operand(step, 1 + axis);
    start.push_back(signExtend(at.bits.front(), 32));
    if (!at.isUndefined(0) && !llvm::is_contained(view.undefined, 1))
      continue;
    (void)machine.fail(step, std::string("the view or where its block starts is undefined") + undefinedHint);
    return std::nullopt;
  }
  Block block{Tensor(tile::withElementType(type, tile::PtrType::get(tile::elementTypeOf(type)))),
              Tensor(tile::withElementType(type, IntegerType::get(type.getContext(), 1)))};
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
  std::optional<Block> block = blockOf<tile::ViewLoadOp>(machine, step, op.getType());
  if (!block)
    return failure();
  Tensor result(op.getType());
  const Element element(result.type);
  const bool isPadded = op.getPadding() != tile::Padding::None;
  const uint64_t padding =
      op.getPadding() == tile::Padding::NaN ? nanOf(op.getType().getElementType()) : uint64_t(0);
  for (size_t i = 0; i < result.size(); ++i) {
    bool defined = isPadded;
    if (block->inside.bits[i]) {
      const Place place = locate(machine, step, block->addresses, i, element, "load");
      if (!place)
        return failure();
      result.bits[i] = readElement(place, element, defined);
    } else {
      result.bits[i] = padding;
    }
    if (!defined)
      result.setUndefined(i);
  }
  machine.setResult(step, std::move(result));
  return success();
}

LogicalResult store(Machine &machine, const Step &step) {
  const Tensor &value = machine.operand(step, unsigned(step.operands.size() - 1));
  std::optional<Block> block = blockOf<tile::ViewStoreOp>(machine, step, value.type);
  if (!block)
    return failure();
  const Element element(value.type);
  for (size_t i = 0; i < value.size(); ++i) {
    if (!block->inside.bits[i])
      continue;
    const Place place = locate(machine, step, block->addresses, i, element, "store");
    if (!place || failed(checkWritten(machine, step, value, i)))
      return failure();
    writeElement(machine, place, element, value.bits[i], !value.isUndefined(i));
  }
  return success();
}

} // namespace

void addViewOps(HandlerTable &table) {
  addHandler<tile::ViewOp>(table, makeView);
  addHandler<tile::ViewBaseOp>(table, baseOf);
  addHandler<tile::ViewLoadOp>(table, load);
  addHandler<tile::ViewStoreOp>(table, store);
}

} // namespace tegula::interp
