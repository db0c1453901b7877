// Pointers, loads and stores.
#include "compiler/interp/machine/Access.h"
#include "compiler/interp/machine/AccessBox.h"
#include "dialect/tile/Tile.h"

using namespace mlir;

namespace tegula::interp {
namespace {

LogicalResult addPointer(Machine &machine, const Step &step) {
  const Tensor &pointer = machine.operand(step, 0), &offset = machine.operand(step, 1);
  const unsigned bits = Element(offset.type).bits;
  const uint64_t size = Element(tile::pointeeOf(pointer.type)).bytes();
  machine.setResult(step, elementwise(machine, step, [&](size_t i) {
                      return pointer.bits[i] + uint64_t(signExtend(offset.bits[i], bits)) * size;
                    }));
  return success();
}

LogicalResult load(Machine &machine, const Step &step) {
  auto op = cast<tile::LoadOp>(step.op);
  const Tensor &pointer = machine.operand(step, 0);
  const Tensor *mask = op.getMask() ? &machine.operand(step, 1) : nullptr;
  const Tensor *other = op.getOther() ? &machine.operand(step, 2) : nullptr;
  if (op.getBox() &&
      failed(checkBox(machine, step, pointer, mask, unsigned(step.operands.size()) - 1, /*isStore=*/false)))
    return failure();
  Tensor result(op.getType());
  const Element element(result.type);
  for (size_t i = 0; i < result.size(); ++i) {
    const std::optional<bool> active = isActive(machine, step, mask, i);
    if (!active)
      return failure();
    bool defined = false;
    if (*active) {
      const Place place = locate(machine, step, pointer, i, element, "load");
      if (!place)
        return failure();
      result.bits[i] = readElement(place, element, defined);
    } else if (other) {
      result.bits[i] = other->bits[i];
      defined = !other->isUndefined(i);
    }
    if (!defined)
      result.setUndefined(i);
  }
  machine.setResult(step, std::move(result));
  return success();
}

LogicalResult store(Machine &machine, const Step &step) {
  const Tensor &pointer = machine.operand(step, 0), &value = machine.operand(step, 1);
  auto op = cast<tile::StoreOp>(step.op);
  const Tensor *mask = op.getMask() ? &machine.operand(step, 2) : nullptr;
  if (op.getBox() &&
      failed(checkBox(machine, step, pointer, mask, unsigned(step.operands.size()) - 1, /*isStore=*/true)))
    return failure();
  const Element element(value.type);
  for (size_t i = 0; i < value.size(); ++i) {
    const std::optional<bool> active = isActive(machine, step, mask, i);
    if (!active)
      return failure();
    if (!*active)
      continue;
    const Place place = locate(machine, step, pointer, i, element, "store");
    if (!place || failed(checkWritten(machine, step, value, i)))
      return failure();
    writeElement(machine, place, element, value.bits[i], !value.isUndefined(i));
  }
  return success();
}

} // namespace

void addMemoryOps(HandlerTable &table) {
  addHandler<tile::AddPtrOp>(table, addPointer);
  addHandler<tile::BoxOp>(table, makeBox);
  addHandler<tile::LoadOp>(table, load);
  addHandler<tile::StoreOp>(table, store);
}

} // namespace tegula::interp
