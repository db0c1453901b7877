// The dialect itself and the type of buffers.
#include "dialect/tgpu/Tgpu.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tgpu;

#include "dialect/tgpu/TgpuDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/tgpu/TgpuTypes.cpp.inc"

void TgpuDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/tgpu/TgpuTypes.cpp.inc"
      >();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialect/tgpu/TgpuOps.cpp.inc"
      >();
}

Operation *TgpuDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult BufferType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, uint32_t slots,
                                 RankedTensorType tensor, tile::LayoutAttr layout) {
  // (buffer_c1)
  if (slots < 1 || slots > MaxSlots)
    return emitError() << "expected 1 to " << MaxSlots << " slots, found " << slots;
  // (buffer_c2)
  Type element = tensor.getElementType();
  if (!tile::hasTileShape(tensor) || tensor.getEncoding() || !element.isIntOrFloat() ||
      element.getIntOrFloatBitWidth() % 8 != 0)
    return emitError() << "expected a tensor of whole bytes without layout, found " << tensor;
  // (buffer_c3)
  const LinearLayout &map = layout.getLayout();
  bool fits = map.ins().size() == 1 && map.hasIn(Dim::Offset) && map.isInvertible() &&
              map.outs().size() == size_t(tensor.getRank());
  for (unsigned axis = 0; fits && axis < tensor.getRank(); ++axis)
    fits = map.hasOut(tensorDim(axis)) && map.outSize(tensorDim(axis)) == tensor.getShape()[axis];
  if (!fits)
    return emitError() << "expected a layout that maps `offset` to each element of " << tensor
                       << " once, found " << layout;
  return success();
}

unsigned BufferType::getElementBytes() const { return getElementType().getIntOrFloatBitWidth() / 8; }

uint32_t BufferType::getSlotBytes() const {
  return uint32_t(getTensor().getNumElements()) * getElementBytes();
}

SharedUse tgpu::sharedUseOf(Operation *op) {
  SharedUse use;
  auto effecting = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effecting)
    return use;
  SmallVector<MemoryEffects::EffectInstance> effects;
  effecting.getEffectsOnResource(SharedMemory::get(), effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    use.allocates |= isa<MemoryEffects::Allocate>(effect.getEffect());
    Value buffer = effect.getValue();
    if (!buffer || !isa<BufferType>(buffer.getType()))
      continue;
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      use.reads.push_back(buffer);
    else if (isa<MemoryEffects::Write>(effect.getEffect()))
      use.writes.push_back(buffer);
  }
  return use;
}
