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
  return readActive(machine, step, pointer, mask, other, "load");
}

LogicalResult store(Machine &machine, const Step &step) {
  const Tensor &pointer = machine.operand(step, 0), &value = machine.operand(step, 1);
  auto op = cast<tile::StoreOp>(step.op);
  const Tensor *mask = op.getMask() ? &machine.operand(step, 2) : nullptr;
  if (op.getBox() &&
      failed(checkBox(machine, step, pointer, mask, unsigned(step.operands.size()) - 1, /*isStore=*/true)))
    return failure();
  return writeActive(machine, step, pointer, value, mask, "store");
}

} // namespace

void addMemoryOps(HandlerTable &table) {
  addHandler<tile::AddPtrOp>(table, addPointer);
  addHandler<tile::BoxOp>(table, makeBox);
  addHandler<tile::LoadOp>(table, load);
  addHandler<tile::StoreOp>(table, store);
}

} // namespace tegula::interp
