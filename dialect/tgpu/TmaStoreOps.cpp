// Verifiers and effects of stores by TMA.
#include "dialect/tgpu/Tgpu.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tgpu;
using tile::AsyncKind, tile::AsyncStep, tile::GlobalAccess;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// The hardware has 16 barriers, and others need some of them.
static constexpr uint32_t MaxParts = 8;

static bool isCountOfParts(uint32_t parts) {
  return parts >= 1 && parts <= MaxParts && llvm::isPowerOf2_32(parts);
}

TensorMapOp TmaStoreOp::getTensorMap() { return getMap().getDefiningOp<TensorMapOp>(); }

TmaBoxes TmaStoreOp::getBoxes() {
  BufferType buffer = getBuffer().getType();
  return *asTmaBoxes(buffer.getLayout().getLayout(), buffer.getElementBytes(), getParts());
}

LogicalResult TmaStoreOp::verify() {
  TensorMapOp map = getTensorMap();
  // (tma_store_c1)
  if (!map || map.getBox().size() < 2 || getStart().size() != map.getBox().size())
    return emitOpError("expected a coordinate for each axis of a map with two or more");
  // (tma_store_c2)
  auto source = cast<RankedTensorType>(getSource().getType());
  BufferType buffer = getBuffer().getType();
  if (source.getShape() != buffer.getShape() || source.getElementType() != buffer.getElementType())
    return emitOpError() << "expected a tensor like the buffer's, " << buffer.getTensor() << ", found "
                         << source;
  // (tma_store_c4)
  if (!isCountOfParts(getParts()))
    return emitOpError() << "expected 1, 2, 4 or 8 parts, found " << getParts();
  // (tma_store_c3)
  std::optional<TmaBoxes> boxes =
      buffer.getShape().size() == 2
          ? asTmaBoxes(buffer.getLayout().getLayout(), buffer.getElementBytes(), getParts())
          : std::nullopt;
  if (map.getElementType() != buffer.getElementType() || !boxes || map.getSwizzle() != boxes->span ||
      map.getBox()[0] != boxes->inner || map.getBox()[1] != boxes->outer ||
      boxes->places.size() % getParts() != 0 ||
      !llvm::all_of(map.getBox().drop_front(2), [](int32_t side) { return side == 1; }))
    return emitOpError() << "expected a buffer of whole boxes of the map for each part, found " << buffer;
  // (tma_store_c4)
  tile::LayoutAttr layout = tile::layoutOf(source);
  if (getParts() > 1 &&
      (!layout || !isPartedByWarps(layout.getLayout(), buffer.getLayout().getLayout(), getParts())))
    return emitOpError() << "expected " << getParts() << " parts of the warps with boxes of their own, found "
                         << source;
  return success();
}

void TmaStoreOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getBufferMutable(), SharedMemory::get());
  effects.emplace_back(MemoryEffects::Read::get(), &getBufferMutable(), SharedMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), StoreGroups::get());
}

GlobalAccess TmaStoreOp::getGlobalAccess() { return {.address = getTensorMap().getBase(), .writes = true}; }
AsyncStep TmaStoreOp::getAsyncStep() {
  return {.role = AsyncStep::Starts, .kind = AsyncKind::TmaStore, .isByUnit = true, .ordersItself = true};
}
AsyncStep TmaStoreWaitOp::getAsyncStep() { return {AsyncStep::Awaits, AsyncKind::TmaStore, getPending()}; }

LogicalResult TmaStoreWaitOp::verify() {
  // (tma_store_wait_c1)
  if (int32_t(getPending()) < 0)
    return emitOpError() << "expected a number of stores, found " << int32_t(getPending());
  // (tma_store_wait_c2)
  if (!isCountOfParts(getParts()))
    return emitOpError() << "expected 1, 2, 4 or 8 parts, found " << getParts();
  return success();
}

void TmaStoreWaitOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Write::get(), SharedMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), StoreGroups::get());
}
