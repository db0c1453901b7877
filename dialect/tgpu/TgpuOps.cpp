// Verifiers and effects of the ops on buffers.
#include "dialect/layout/Parts.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tgpu;
using tile::AsyncKind, tile::AsyncStep, tile::GlobalAccess;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

#define GET_OP_CLASSES
#include "dialect/tgpu/TgpuOps.cpp.inc"

SmallVector<BufferRead> tegula::tgpu::readsOf(Value buffer) {
  SmallVector<BufferRead> reads;
  for (OpOperand &use : buffer.getUses()) {
    if (auto load = dyn_cast<LocalLoadOp>(use.getOwner()))
      reads.push_back({load, &load.getSlotMutable()});
    else if (auto product = dyn_cast<MmaOp>(use.getOwner()))
      reads.push_back({product, &use == &product.getAMutable() ? &*product.getSlotAMutable().begin()
                                                               : &product.getSlotBMutable()});
  }
  return reads;
}

LogicalResult AllocOp::verify() {
  // (alloc_c1)
  if (!isa<FunctionOpInterface>((*this)->getParentOp()))
    return emitOpError("expected to stand outside of loops and branches");
  return success();
}

void AllocOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getOpResult(0), SharedMemory::get());
}

LogicalResult LocalStoreOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  BufferType buffer = getBuffer().getType();
  // (local_store_c1)
  if (source.getShape() != buffer.getShape() || source.getElementType() != buffer.getElementType())
    return emitOpError() << "expected a tensor like the buffer's, " << buffer.getTensor() << ", found "
                         << source;
  return success();
}

void LocalStoreOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getBufferMutable(), SharedMemory::get());
}

/// Checks where along which axis a part may be at run time.
static LogicalResult verifyPosition(LocalLoadOp op) {
  ArrayRef<int64_t> whole = op.getBuffer().getType().getShape();
  const int64_t axis = int32_t(*op.getAxis()), stride = int32_t(*op.getStride());
  // (local_load_c5)
  if (axis < 0 || axis >= int64_t(whole.size()))
    return op.emitOpError() << "expected an axis below " << whole.size() << ", found " << axis;
  // (local_load_c6)
  if (stride <= 0 || !llvm::isPowerOf2_64(uint64_t(stride)) || stride > whole[size_t(axis)])
    return op.emitOpError() << "expected a power of two up to " << whole[size_t(axis)] << " as stride, found "
                            << stride;
  const int64_t end =
      op.getOffsets()[size_t(axis)] + cast<RankedTensorType>(op.getResult().getType()).getDimSize(axis);
  if (end > stride)
    return op.emitOpError() << "expected a part inside the first stride of " << stride << ", found one up to "
                            << end;
  return success();
}

LogicalResult LocalLoadOp::verify() {
  auto result = cast<RankedTensorType>(getResult().getType());
  BufferType buffer = getBuffer().getType();
  // (local_load_c1)
  if (result.getRank() != int64_t(buffer.getShape().size()) ||
      getOffsets().size() != buffer.getShape().size())
    return emitOpError() << "expected an offset and a side for each axis of " << buffer.getTensor();
  // (local_load_c2)
  for (auto [offset, side, whole] : llvm::zip_equal(getOffsets(), result.getShape(), buffer.getShape()))
    if (offset < 0 || offset % side != 0 || offset + side > whole)
      return emitOpError() << "expected a multiple of " << side << " inside " << whole << " as offset, found "
                           << offset;
  // (local_load_c3)
  if (result.getElementType() != buffer.getElementType())
    return emitOpError() << "expected elements of type " << buffer.getElementType() << ", found "
                         << result.getElementType();
  // (local_load_c4)
  const bool isMoved = getPosition() != nullptr;
  if (getStride().has_value() != isMoved || getAxis().has_value() != isMoved)
    return emitOpError("expected a position, a stride and an axis together");
  return isMoved ? verifyPosition(*this) : success();
}

LogicalResult LocalAtomicOp::verify() {
  BufferType buffer = getBuffer().getType();
  // (local_atomic_c1)
  if (buffer.getSlots() != 1 || buffer.getShape().size() != 1)
    return emitOpError() << "expected a buffer of one slot and one axis, found " << buffer;
  // (local_atomic_c2)
  if (Type element = tile::elementTypeOf(getValue().getType()); element != buffer.getElementType())
    return emitOpError() << "expected a buffer of " << element << ", found " << buffer;
  // (local_atomic_c3)
  if (getKind() == tile::AtomicKind::FAdd || getKind() == tile::AtomicKind::Exchange)
    return emitOpError() << "expected an operation on integers whose order is all one, found `"
                         << stringifyAtomicKind(getKind()) << "`";
  return success();
}

/// A write alone: nothing that the program sees is read.
void LocalAtomicOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getBufferMutable(), SharedMemory::get());
}

/// Checks that threads hold the part of `whole` at `offsets` as `part` says: rules 1 to 3 of `slice` and
/// `insert`.
static LogicalResult verifyPart(Operation *op, RankedTensorType whole, RankedTensorType part,
                                ArrayRef<int32_t> offsets) {
  // (slice_c1) (insert_c1)
  if (part.getRank() != whole.getRank() || offsets.size() != size_t(whole.getRank()))
    return op->emitOpError() << "expected an offset and a side for each axis of " << whole;
  // (slice_c2) (insert_c2)
  for (auto [offset, side, all] : llvm::zip_equal(offsets, part.getShape(), whole.getShape()))
    if (offset < 0 || offset % side != 0 || offset + side > all)
      return op->emitOpError() << "expected a multiple of " << side << " inside " << all
                               << " as offset, found " << offset;
  // (slice_c3) (insert_c3)
  tile::LayoutAttr ofWhole = tile::layoutOf(whole), ofPart = tile::layoutOf(part);
  if (!ofWhole || !ofPart || !registersOfPart(ofWhole.getLayout(), ofPart.getLayout(), offsets))
    return op->emitOpError() << "expected a layout whose threads hold of " << whole
                             << " what they are to have, found " << part;
  return success();
}

LogicalResult SliceOp::verify() {
  return verifyPart(*this, cast<RankedTensorType>(getSource().getType()),
                    cast<RankedTensorType>(getResult().getType()), getOffsets());
}

LogicalResult InsertOp::verify() {
  return verifyPart(*this, cast<RankedTensorType>(getWhole().getType()),
                    cast<RankedTensorType>(getPart().getType()), getOffsets());
}

void LocalLoadOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getBufferMutable(), SharedMemory::get());
}

LogicalResult AsyncCopyOp::verify() {
  auto pointers = cast<RankedTensorType>(getPointers().getType());
  BufferType buffer = getBuffer().getType();
  // (async_copy_c1)
  if (pointers.getShape() != buffer.getShape())
    return emitOpError() << "expected pointers of the shape of " << buffer.getTensor() << ", found "
                         << pointers;
  // (async_copy_c2)
  if (tile::pointeeOf(pointers) != buffer.getElementType())
    return emitOpError() << "expected pointers to " << buffer.getElementType() << ", found " << pointers;
  return success();
}

void AsyncCopyOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPointersMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getBufferMutable(), SharedMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), CopyGroups::get());
}

GlobalAccess AsyncCopyOp::getGlobalAccess() {
  return {.address = getPointers(), .mask = getMask(), .reads = true};
}
AsyncStep AsyncCopyOp::getAsyncStep() { return {AsyncStep::Starts, AsyncKind::Copy}; }
AsyncStep AsyncCommitOp::getAsyncStep() { return {AsyncStep::Groups, AsyncKind::Copy}; }
AsyncStep AsyncWaitOp::getAsyncStep() { return {AsyncStep::Awaits, AsyncKind::Copy, getPending()}; }

void AsyncCommitOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), CopyGroups::get());
}

LogicalResult AsyncWaitOp::verify() {
  // (async_wait_c1)
  if (int32_t(getPending()) < 0)
    return emitOpError() << "expected a number of groups, found " << int32_t(getPending());
  return success();
}

void AsyncWaitOp::getEffects(Effects &effects) {
  // Copied elements can be read from here on, so reads of buffers keep their order with it.
  effects.emplace_back(MemoryEffects::Write::get(), CopyGroups::get());
  effects.emplace_back(MemoryEffects::Write::get(), SharedMemory::get());
}
