// Verifiers and effects of copies by TMA.
#include "dialect/layout/TmaLimits.h"
#include "dialect/layout/UnitMemory.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/BlockPairs.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tgpu;
using tile::AsyncKind, tile::AsyncStep, tile::GlobalAccess, tile::Interaction;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// The most bytes that one phase of a barrier counts (PTX, "mbarrier").
static constexpr int32_t MaxPhaseBytes = (1 << 20) - 1;
/// The most arrivals: one for each warp that a block may have.
static constexpr uint32_t MaxArrivals = 32;

LogicalResult BarriersType::verify(function_ref<InFlightDiagnostic()> emitError, uint32_t slots,
                                   uint32_t arrivals, uint32_t blocks) {
  // (barriers_c1)
  if (slots < 1 || slots > MaxSlots)
    return emitError() << "expected 1 to " << MaxSlots << " barriers, found " << slots;
  // (barriers_c2)
  if (arrivals < 1 || arrivals > MaxArrivals)
    return emitError() << "expected 1 to " << MaxArrivals << " arrivals, found " << arrivals;
  // (barriers_c3)
  if (blocks < 1 || blocks > tile::BlocksOfPair)
    return emitError() << "expected arrivals of 1 or " << tile::BlocksOfPair << " blocks, found " << blocks;
  return success();
}

/// Returns whether a launch can know `value`: a parameter of the kernel, or a constant.
static bool isOfLaunch(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return matchPattern(value, m_Constant());
}

LogicalResult TensorMapOp::verify() {
  // (tensor_map_c1)
  if (!isa<FunctionOpInterface>((*this)->getParentOp()))
    return emitOpError("expected to stand outside of loops and branches");
  // (tensor_map_c2)
  if (!llvm::all_of(getOperands(), isOfLaunch))
    return emitOpError("expected parameters of the kernel and constants as base, sizes and strides");
  // (tensor_map_c3)
  ArrayRef<int32_t> box = getBox();
  if (box.empty() || box.size() > tma::MaxAxes || getSizes().size() != box.size() ||
      getStrides().size() + 1 != box.size())
    return emitOpError() << "expected 1 to " << tma::MaxAxes
                         << " axes with a size and a side of the box each, and a "
                         << "stride for all but the first";
  for (int32_t side : box)
    if (side < 1 || side > int32_t(tma::MaxBoxSide))
      return emitOpError() << "expected sides of a box from 1 to " << tma::MaxBoxSide << ", found " << side;
  // (tensor_map_c4)
  if (!getElementType().isIntOrFloat())
    return emitOpError() << "expected numbers as elements, found " << getElementType();
  uint32_t row = uint32_t(box[0]) * (getElementType().getIntOrFloatBitWidth() / 8), swizzle = getSwizzle();
  if (row % tma::AlignedBytes != 0 || (swizzle != 0 && swizzle != row) ||
      !llvm::is_contained({0u, 32u, 64u, 128u}, swizzle))
    return emitOpError()
           << "expected rows of a multiple of 16 bytes, and a swizzle of none, or of 32, 64 or 128 that "
           << "are a row; found rows of " << row << " and a swizzle of " << swizzle;
  return success();
}

LogicalResult BarriersOp::verify() {
  // (barriers_op_c1)
  if (!isa<FunctionOpInterface>((*this)->getParentOp()))
    return emitOpError("expected to stand outside of loops and branches");
  return success();
}

TensorMapOp TmaCopyOp::getTensorMap() { return getMap().getDefiningOp<TensorMapOp>(); }

/// Checks that `op` copies boxes of its map into its buffer.
template <typename Op> static LogicalResult verifyBoxes(Op op) {
  TensorMapOp map = op.getTensorMap();
  // (tma_copy_c1, tma_load_c1)
  if (!map || map.getBox().size() < 2 || op.getStart().size() != map.getBox().size())
    return op.emitOpError("expected a coordinate for each axis of a map with two or more");
  // (tma_copy_c2, tma_load_c2)
  BufferType buffer = op.getBuffer().getType();
  std::optional<TmaBoxes> boxes = buffer.getShape().size() == 2
                                      ? asTmaBoxes(buffer.getLayout().getLayout(), buffer.getElementBytes())
                                      : std::nullopt;
  if (map.getElementType() != buffer.getElementType() || !boxes || map.getSwizzle() != boxes->span ||
      map.getBox()[0] != boxes->inner || map.getBox()[1] != boxes->outer ||
      !llvm::all_of(map.getBox().drop_front(2), [](int32_t side) { return side == 1; }))
    return op.emitOpError() << "expected a buffer of whole boxes of the map, found " << buffer;
  return success();
}

LogicalResult TmaCopyOp::verify() {
  // (tma_copy_c3)
  auto kernel = (*this)->getParentOfType<FunctionOpInterface>();
  if (getMulticast() && kernel && !kernel->hasAttr("tile.pairs"))
    return emitOpError("expected a kernel with `tile.pairs`, whose blocks a copy may be for");
  return verifyBoxes(*this);
}
LogicalResult TmaLoadOp::verify() { return verifyBoxes(*this); }

LogicalResult BarrierExpectOp::verify() {
  // (barrier_expect_c1)
  if (int32_t bytes = int32_t(getBytes()); bytes < 1 || bytes > MaxPhaseBytes)
    return emitOpError() << "expected 1 to " << MaxPhaseBytes << " bytes, found " << bytes;
  // (barrier_expect_c2)
  if (uint32_t arrivals = getBarriers().getType().getArrivals(); arrivals != 1)
    return emitOpError() << "expected barriers whose phases have one arrival, found " << arrivals;
  return success();
}

void BarriersOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getOpResult(0), SharedMemory::get());
}

/// Adds the effects that keep the order with copies, and with reads of buffers.
static void addPhaseEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), CopyGroups::get());
  effects.emplace_back(MemoryEffects::Write::get(), SharedMemory::get());
}

void BarriersInitOp::getEffects(Effects &effects) { addPhaseEffects(effects); }
void BarriersEndOp::getEffects(Effects &effects) { addPhaseEffects(effects); }
void BarrierWaitOp::getEffects(Effects &effects) { addPhaseEffects(effects); }

Interaction BarriersInitOp::getInteractions() { return Interaction::SyncsThreads; }
Interaction BarriersEndOp::getInteractions() { return Interaction::SyncsThreads; }

GlobalAccess TmaCopyOp::getGlobalAccess() { return {.address = getTensorMap().getBase(), .reads = true}; }
AsyncStep TmaCopyOp::getAsyncStep() {
  return {.role = AsyncStep::Starts, .kind = AsyncKind::TmaLoad, .isByUnit = true};
}
AsyncStep BarrierExpectOp::getAsyncStep() { return {AsyncStep::Groups, AsyncKind::TmaLoad}; }
AsyncStep BarrierWaitOp::getAsyncStep() { return {AsyncStep::Awaits, AsyncKind::TmaLoad}; }

void TmaCopyOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getBufferMutable(), SharedMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), CopyGroups::get());
}

void GlobalFenceOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), CopyGroups::get());
}

void BarrierExpectOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), CopyGroups::get());
}
