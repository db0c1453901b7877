#include "compiler/interp/Buffers.h"

#include "compiler/interp/Machine.h"
#include "dialect/tgpu/Tgpu.h"

namespace tegula::interp {

Buffer::Buffer(tgpu::BufferType type)
    : slotElements(size_t(type.getTensor().getNumElements())), offsets(slotElements),
      bits(slotElements * type.getSlots()), states(bits.size(), NeverWritten), underway(type.getSlots()) {
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

mlir::LogicalResult checkCopiesAwaited(Machine &machine) {
  const Copy *left = machine.shared.open.empty() ? nullptr : &machine.shared.open.front();
  for (const std::vector<Copy> &group : machine.shared.underway)
    if (!left && !group.empty())
      left = &group.front();
  return left ? machine.fail(*left->step, "the program ends with a copy that was not waited for")
              : mlir::success();
}

} // namespace tegula::interp
