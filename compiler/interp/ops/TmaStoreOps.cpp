// Stores by TMA, and waits for them. What is stored is there at the wait for it, or at the
// program's end, and no sooner.
#include "compiler/interp/machine/Access.h"
#include "compiler/interp/machine/Boxes.h"

using namespace mlir;

namespace tegula::interp {
namespace {

/// Leaves memory as it is.
LogicalResult store(Machine &machine, const Step &step) {
  ++machine.changes;
  auto op = cast<tgpu::TmaStoreOp>(step.op);
  const Tensor &source = machine.operand(step, 0);
  const size_t number = size_t(machine.operand(step, 1).bits.front());
  Buffer &buffer = machine.shared.buffers[number];
  const FailureOr<size_t> slot = freeSlot(machine, step, 2, buffer, "write");
  if (failed(slot))
    return failure();
  const tgpu::BufferType type = op.getBuffer().getType();
  const Element element(type.getElementType());
  const auto [addresses, inside] = placesInBox(machine, step, 3, 4, op.getStart().size(), type);
  BoxStore started{&step, number, *slot, false, {}};
  for (size_t i = 0; i < source.size(); ++i) {
    buffer.write(*slot, source, i);
    if (!inside.bits[i])
      continue;
    if (failed(locate(machine, step, addresses, i, element, "store")) ||
        failed(checkWritten(machine, step, source, i)))
      return failure();
    started.elements.push_back({addresses.bits[i], source.bits[i], Buffer::stateOf(!source.isUndefined(i))});
  }
  ++buffer.stores[*slot];
  machine.shared.stores.push_back(std::move(started));
  return success();
}

void finishRead(Machine &machine, BoxStore &store) {
  if (!store.isRead)
    --machine.shared.buffers[store.buffer].stores[store.slot];
  store.isRead = true;
}

LogicalResult wait(Machine &machine, const Step &step) {
  ++machine.changes;
  auto op = cast<tgpu::TmaStoreWaitOp>(step.op);
  auto &stores = machine.shared.stores;
  for (size_t i = 0; i + op.getPending() < stores.size(); ++i)
    finishRead(machine, stores[i]);
  if (!op.getRead())
    writeStores(machine, op.getPending());
  return success();
}

} // namespace

void writeStores(Machine &machine, size_t pending) {
  auto &stores = machine.shared.stores;
  for (; stores.size() > pending; stores.pop_front()) {
    const BoxStore &store = stores.front();
    const Element element(cast<tgpu::TmaStoreOp>(store.step->op).getBuffer().getType().getElementType());
    for (const CopiedElement &stored : store.elements) {
      // Programs end no allocation, so what was found at first is there still.
      const Allocation *to = machine.memory.find(stored.address, element.bytes());
      writeElement(machine, Place(*to, stored.address), element, stored.bits,
                   stored.state == Buffer::Defined);
    }
  }
}

void addTmaStoreOps(HandlerTable &table) {
  addHandler<tgpu::TmaStoreOp>(table, store);
  addHandler<tgpu::TmaStoreWaitOp>(table, wait);
}

} // namespace tegula::interp
