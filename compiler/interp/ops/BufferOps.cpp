// Buffers in shared memory, copies that run on their own, and parts of tensors.
#include "compiler/interp/machine/Access.h"
#include "dialect/tgpu/Tgpu.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula::interp {
namespace {

LogicalResult allocate(Machine &machine, const Step &step) {
  const Type type = step.op->getResult(0).getType();
  machine.setResult(step, Tensor::scalar(type, machine.shared.buffers.size()));
  machine.shared.buffers.emplace_back(cast<tgpu::BufferType>(type));
  return success();
}

Buffer &bufferOf(Machine &machine, const Step &step, unsigned operand) {
  return machine.shared.buffers[machine.operand(step, operand).bits.front()];
}

LogicalResult localStore(Machine &machine, const Step &step) {
  ++machine.changes;
  const Tensor &source = machine.operand(step, 0);
  Buffer &buffer = bufferOf(machine, step, 1);
  const std::optional<size_t> slot = freeSlot(machine, step, 2, buffer, "write");
  if (!slot)
    return failure();
  for (size_t i = 0; i < source.size(); ++i) {
    const size_t place = buffer.place(*slot, i);
    buffer.bits[place] = source.bits[i];
    buffer.states[place] = source.isUndefined(i) ? Buffer::Undefined : Buffer::Defined;
  }
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
  Tensor result(op.getType());
  for (size_t i = 0; i < result.size(); ++i) {
    const size_t from = elementOfWhole(shapeOf(source.type), shapeOf(result.type), op.getOffsets(), i);
    result.bits[i] = source.bits[from];
    if (source.isUndefined(from))
      result.setUndefined(i);
  }
  machine.setResult(step, std::move(result));
  return success();
}

LogicalResult insert(Machine &machine, const Step &step) {
  auto op = cast<tgpu::InsertOp>(step.op);
  const Tensor &part = machine.operand(step, 0);
  Tensor result = machine.operand(step, 1);
  for (size_t i = 0; i < part.size(); ++i) {
    const size_t to = elementOfWhole(shapeOf(result.type), shapeOf(part.type), op.getOffsets(), i);
    result.bits[to] = part.bits[i];
    if (part.isUndefined(i))
      result.setUndefined(to);
    else if (result.isUndefined(to))
      result.undefined[to] = 0;
  }
  machine.setResult(step, std::move(result));
  return success();
}

/// Returns where the part that `op` reads begins; nothing after a fault.
std::optional<llvm::SmallVector<int32_t>> startOf(Machine &machine, const Step &step, tgpu::LocalLoadOp op) {
  llvm::SmallVector<int32_t> start(op.getOffsets());
  if (!op.getPosition())
    return start;
  const Tensor &position = machine.operand(step, 2);
  if (position.isUndefined(0)) {
    (void)machine.fail(step, std::string("the position of a part is undefined") + undefinedHint);
    return std::nullopt;
  }
  const uint64_t number = position.bits.front();
  const uint64_t count = uint64_t(op.getBuffer().getType().getShape()[*op.getAxis()]) / *op.getStride();
  if (number >= count) {
    (void)machine.fail(step, llvm::formatv("expected a position from 0 to {0}, found {1}", count - 1,
                                           signExtend(number, 32)));
    return std::nullopt;
  }
  start[*op.getAxis()] += int32_t(number * *op.getStride());
  return start;
}

LogicalResult localLoad(Machine &machine, const Step &step) {
  auto op = cast<tgpu::LocalLoadOp>(step.op);
  const Buffer &buffer = bufferOf(machine, step, 0);
  const std::optional<size_t> slot = freeSlot(machine, step, 1, buffer, "read");
  if (!slot)
    return failure();
  const std::optional<llvm::SmallVector<int32_t>> start = startOf(machine, step, op);
  if (!start)
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
    const std::optional<bool> active = isActive(machine, step, mask, i);
    if (!active)
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
    if (condition.isUndefined(0))
      return machine.fail(step, std::string("the condition of a copy is undefined") + undefinedHint);
    if (!condition.bits.front())
      return success();
  }
  Buffer &buffer = bufferOf(machine, step, next);
  const std::optional<size_t> slot = freeSlot(machine, step, next + 1, buffer, "write");
  if (!slot)
    return failure();
  Copy copy{&step, size_t(machine.operand(step, next).bits.front()), *slot, {}};
  const Element element(op.getBuffer().getType().getElementType());
  for (size_t i = 0; i < pointers.size(); ++i) {
    const std::optional<bool> active = isActive(machine, step, mask, i);
    if (!active)
      return failure();
    CopiedElement &copied = copy.elements.emplace_back(CopiedElement{0, 0, Buffer::Defined});
    if (!*active)
      continue;
    const Place place = locate(machine, step, pointers, i, element, "copy");
    if (!place)
      return failure();
    bool defined = false;
    copied.address = pointers.bits[i];
    copied.bits = readElement(place, element, defined);
    copied.state = defined ? Buffer::Defined : Buffer::Undefined;
  }
  ++buffer.underway[*slot];
  machine.shared.open.push_back(std::move(copy));
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
