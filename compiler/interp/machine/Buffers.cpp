#include "compiler/interp/machine/Buffers.h"

#include "compiler/interp/machine/Machine.h"
#include "dialect/tgpu/Tgpu.h"

#include "llvm/Support/FormatVariadic.h"

namespace tegula::interp {

Buffer::Buffer(tgpu::BufferType type)
    : slotElements(size_t(type.getTensor().getNumElements())), offsets(slotElements),
      bits(slotElements * type.getSlots()), states(bits.size(), NeverWritten), underway(type.getSlots()),
      readers(type.getSlots()), stores(type.getSlots()) {
  const LinearLayout &layout = type.getLayout().getLayout();
  llvm::ArrayRef<int64_t> shape = type.getShape();
  for (size_t offset = 0; offset < slotElements; ++offset) {
    const uint64_t place = layout.applyPacked(offset);
    size_t element = 0;
    for (unsigned axis = 0; axis < shape.size(); ++axis)
      element = element * size_t(shape[axis]) + size_t(layout.unpackOut(place, tensorDim(axis)));
    offsets[element] = uint32_t(offset);
  }
}

mlir::FailureOr<size_t> freeSlot(Machine &machine, const Step &step, unsigned operand, const Buffer &buffer,
                                 llvm::StringRef verb) {
  const Tensor &slot = machine.operand(step, operand);
  if (mlir::failed(machine.checkDefined(step, slot, "the slot of a buffer")))
    return mlir::failure();
  const uint64_t number = slot.bits.front();
  if (number >= buffer.underway.size())
    return machine.fail(step, llvm::formatv("expected a slot from 0 to {0}, found {1}",
                                            buffer.underway.size() - 1, signExtend(number, 32)));
  if (buffer.underway[number])
    return machine.fail(step,
                        llvm::formatv("{0} of a slot whose copy was not waited for: slot {1}", verb, number));
  if (verb == "write" && buffer.readers[number])
    return machine.fail(step,
                        llvm::formatv("write of a slot that a product may still read: slot {0}", number));
  if (verb == "write" && buffer.stores[number])
    return machine.fail(step, llvm::formatv("write of a slot that a store may still read: slot {0}", number));
  return size_t(number);
}

mlir::LogicalResult checkAllAwaited(Machine &machine) {
  if (!machine.shared.products.empty())
    return machine.fail(*machine.shared.products.front().step,
                        "the program ends with a product that was not waited for");
  for (const BoxStore &store : machine.shared.stores)
    if (!store.isRead)
      return machine.fail(*store.step, "the program ends with a store whose slot was not waited for");
  const Copy *left = machine.shared.open.empty() ? nullptr : &machine.shared.open.front();
  for (const std::vector<Copy> &group : machine.shared.underway)
    if (!left && !group.empty())
      left = &group.front();
  for (const std::vector<Phases> &barriers : machine.shared.barriers)
    for (const Phases &barrier : barriers)
      if (!left && !barrier.copies.empty())
        left = &barrier.copies.front();
  return left ? machine.fail(*left->step, "the program ends with a copy that was not waited for")
              : mlir::success();
}

} // namespace tegula::interp
