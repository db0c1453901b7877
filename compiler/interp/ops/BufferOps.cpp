// Buffers in shared memory, copies that run on their own, and parts of tensors.
#include "compiler/interp/machine/Access.h"
#include "dialect/tgpu/Tgpu.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula::interp {
namespace {

LogicalResult allocate(Machine &machine, const Step &step) {
  machine.setScalar(step, machine.shared.buffers.size());
  machine.shared.buffers.emplace_back(cast<tgpu::AllocOp>(step.op).getType());
  return success();
}

Buffer &bufferOf(Machine &machine, const Step &step, unsigned operand) {
  return machine.shared.buffers[machine.operand(step, operand).bits.front()];
}

LogicalResult localStore(Machine &machine, const Step &step) {
  ++machine.changes;
  const Tensor &source = machine.operand(step, 0);
  Buffer &buffer = bufferOf(machine, step, 1);
  const FailureOr<size_t> slot = freeSlot(machine, step, 2, buffer, "write");
  if (failed(slot))
    return failure();
  for (size_t i = 0; i < source.size(); ++i)
    buffer.write(*slot, source, i);
  return success();
}

/// Element `index` of a part of the shape `part` as an element of the whole; `offsets` say where the part
/// starts.
size_t elementOfWhole(llvm::ArrayRef<int64_t> whole, llvm::ArrayRef<int64_t> part,
                      llvm::ArrayRef<int32_t> offsets, size_t index) {
  size_t element = 0, stride = 1;
  for (size_t axis = part.size(); axis-- > 0; index /= size_t(part[axis])) {
    element += (size_t(offsets[axis]) + index % size_t(part[axis])) * stride;
    stride *= size_t(whole[axis]);
  }
  return element;
}

LogicalResult slice(Machine &machine, const Step &step) {
  auto op = cast<tgpu::SliceOp>(step.op);
  const Tensor &source = machine.operand(step, 0);
  machine.setResult(step, rearranged(source, op.getType(), [&](size_t i) {
                      return elementOfWhole(shapeOf(source.type), shapeOf(op.getType()), op.getOffsets(), i);
                    }));
  return success();
}

LogicalResult insert(Machine &machine, const Step &step) {
  auto op = cast<tgpu::InsertOp>(step.op);
  const Tensor &part = machine.operand(step, 0);
  Tensor result = machine.operand(step, 1);
  for (size_t i = 0; i < part.size(); ++i) {
    const size_t to = elementOfWhole(shapeOf(result.type), shapeOf(part.type), op.getOffsets(), i);
    if (result.isUndefined(to))
      result.undefined[to] = 0;
    result.setElement(to, part, i);
  }
  machine.setResult(step, std::move(result));
  return success();
}

/// Returns where the part that `op` reads begins.
FailureOr<llvm::SmallVector<int32_t>> startOf(Machine &machine, const Step &step, tgpu::LocalLoadOp op) {
  llvm::SmallVector<int32_t> start(op.getOffsets());
  if (!op.getPosition())
    return start;
  const Tensor &position = machine.operand(step, 2);
  if (failed(machine.checkDefined(step, position, "the position of a part")))
    return failure();
  const uint64_t number = position.bits.front();
  const uint64_t count = uint64_t(op.getBuffer().getType().getShape()[*op.getAxis()]) / *op.getStride();
  if (number >= count)
    return machine.fail(step, llvm::formatv("expected a position from 0 to {0}, found {1}", count - 1,
                                            signExtend(number, 32)));
  start[*op.getAxis()] += int32_t(number * *op.getStride());
  return start;
}

LogicalResult localLoad(Machine &machine, const Step &step) {
  auto op = cast<tgpu::LocalLoadOp>(step.op);
  const Buffer &buffer = bufferOf(machine, step, 0);
  const FailureOr<size_t> slot = freeSlot(machine, step, 1, buffer, "read");
  if (failed(slot))
    return failure();
  const FailureOr<llvm::SmallVector<int32_t>> start = startOf(machine, step, op);
  if (failed(start))
    return failure();
  Tensor result(op.getResult().getType());
  for (size_t i = 0; i < result.size(); ++i) {
    const size_t place = buffer.place(
        *slot, elementOfWhole(op.getBuffer().getType().getShape(), shapeOf(result.type), *start, i));
    if (buffer.states[place] == Buffer::NeverWritten)
      return machine.fail(step, llvm::formatv("read of a slot that was never written: slot {0}", *slot),
                          result.type, i);
    result.bits[i] = buffer.bits[place];
    if (buffer.states[place] == Buffer::Undefined)
      result.setUndefined(i);
  }
  machine.setResult(step, std::move(result));
  return success();
}

LogicalResult localAtomic(Machine &machine, const Step &step) {
  ++machine.changes;
  auto op = cast<tgpu::LocalAtomicOp>(step.op);
  const Tensor &value = machine.operand(step, 0), &index = machine.operand(step, 1);
  const Tensor *mask = op.getMask() ? &machine.operand(step, 2) : nullptr;
  Buffer &buffer = bufferOf(machine, step, mask ? 3 : 2);
  const Element element(op.getBuffer().getType().getElementType());
  for (size_t i = 0; i < value.size(); ++i) {
    const FailureOr<bool> active = isActive(machine, step, mask, i);
    if (failed(active))
      return failure();
    if (!*active)
      continue;
    if (index.isUndefined(i) || index.bits[i] >= buffer.slotElements)
      return machine.fail(step, llvm::formatv("expected an index below {0}", buffer.slotElements), index.type,
                          i);
    const size_t place = buffer.place(0, index.bits[i]);
    if (buffer.states[place] == Buffer::NeverWritten)
      return machine.fail(step, "a change of what was never written", index.type, i);
    buffer.bits[place] = changedBy(op.getKind(), element, buffer.bits[place], value.bits[i]);
    if (value.isUndefined(i))
      buffer.states[place] = Buffer::Undefined;
  }
  return success();
}

/// Reads what the copy is of, and leaves the buffer as it is.
LogicalResult asyncCopy(Machine &machine, const Step &step) {
  ++machine.changes;
  auto op = cast<tgpu::AsyncCopyOp>(step.op);
  unsigned next = 1;
  const Tensor &pointers = machine.operand(step, 0);
  const Tensor *mask = op.getMask() ? &machine.operand(step, next++) : nullptr;
  if (op.getCondition()) {
    const Tensor &condition = machine.operand(step, next++);
    if (failed(machine.checkDefined(step, condition, "the condition of a copy")))
      return failure();
    if (!condition.bits.front())
      return success();
  }
  const FailureOr<size_t> slot = freeSlot(machine, step, next + 1, bufferOf(machine, step, next), "write");
  if (failed(slot))
    return failure();
  FailureOr<Copy> copy = beginCopy(machine, step, pointers, mask, machine.operand(step, next).bits.front(),
                                   *slot, Element(op.getBuffer().getType().getElementType()));
  if (failed(copy))
    return failure();
  machine.shared.open.push_back(std::move(*copy));
  return success();
}

LogicalResult asyncCommit(Machine &machine, const Step &) {
  ++machine.changes;
  machine.shared.underway.push_back(std::move(machine.shared.open));
  machine.shared.open.clear();
  return success();
}

LogicalResult asyncWait(Machine &machine, const Step &step) {
  auto &groups = machine.shared.underway;
  for (; groups.size() > cast<tgpu::AsyncWaitOp>(step.op).getPending(); groups.pop_front())
    for (const Copy &copy : groups.front())
      if (failed(complete(machine, copy, cast<tgpu::AsyncCopyOp>(copy.step->op).getBuffer().getType())))
        return failure();
  return success();
}

} // namespace

FailureOr<Copy> beginCopy(Machine &machine, const Step &step, const Tensor &addresses, const Tensor *mask,
                          size_t buffer, size_t slot, Element element) {
  Copy copy{&step, buffer, slot, {}};
  for (size_t i = 0; i < addresses.size(); ++i) {
    const FailureOr<bool> active = isActive(machine, step, mask, i);
    if (failed(active))
      return failure();
    CopiedElement &copied = copy.elements.emplace_back(CopiedElement{0, 0, Buffer::Defined});
    if (!*active)
      continue;
    const FailureOr<Place> place = locate(machine, step, addresses, i, element, "copy");
    if (failed(place))
      return failure();
    bool defined = false;
    copied.address = addresses.bits[i];
    copied.bits = readElement(*place, element, defined);
    copied.state = Buffer::stateOf(defined);
  }
  ++machine.shared.buffers[buffer].underway[slot];
  return copy;
}

LogicalResult complete(Machine &machine, const Copy &copy, tgpu::BufferType type) {
  Buffer &buffer = machine.shared.buffers[copy.buffer];
  const Element element(type.getElementType());
  for (size_t i = 0; i < copy.elements.size(); ++i) {
    const CopiedElement &copied = copy.elements[i];
    if (copied.address) {
      // Programs end no allocation, so what was found at first is there still.
      const Allocation *from = machine.memory.find(copied.address, element.bytes());
      bool defined = false;
      const uint64_t bits = readElement(Place(*from, copied.address), element, defined);
      if (bits != copied.bits || defined != (copied.state == Buffer::Defined))
        return machine.fail(*copy.step, "what a copy reads was changed before the copy was waited for",
                            type.getTensor(), i);
    }
    const size_t place = buffer.place(copy.slot, i);
    buffer.bits[place] = copied.bits;
    buffer.states[place] = copied.state;
  }
  --buffer.underway[copy.slot];
  return success();
}

void addBufferOps(HandlerTable &table) {
  addHandler<tgpu::AllocOp>(table, allocate);
  addHandler<tgpu::LocalStoreOp>(table, localStore);
  addHandler<tgpu::LocalLoadOp>(table, localLoad);
  addHandler<tgpu::LocalAtomicOp>(table, localAtomic);
  addHandler<tgpu::SliceOp>(table, slice);
  addHandler<tgpu::InsertOp>(table, insert);
  addHandler<tgpu::AsyncCopyOp>(table, asyncCopy);
  addHandler<tgpu::AsyncCommitOp>(table, asyncCommit);
  addHandler<tgpu::AsyncWaitOp>(table, asyncWait);
}

} // namespace tegula::interp
