#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/plans/CombineRegion.h"
#include "compiler/plan/ButterflyPlan.h"

#include <algorithm>

using namespace mlir;

namespace tegula {
namespace {

/// Bytes of an element in shared memory: a truth value takes one, a pointer eight.
unsigned bytesOf(Type tensor) {
  Type element = tile::elementTypeOf(tensor);
  return isa<tile::PtrType>(element) ? 8 : std::max(element.getIntOrFloatBitWidth(), 8u) / 8;
}

const LinearLayout &layoutIn(Value tensor) { return tile::layoutOf(tensor.getType()).getLayout(); }

MatrixMoves matrixMovesOf(Operation *op) {
  const Target *target = targetOf(op);
  return {.load = true, .store = target && target->storeMatrix};
}

/// Returns the most shared memory that a change of layout may take: half of a block's, which leaves as much
/// to buffers that are in use around it. What there is besides it is not asked: the plan of an op has to stay
/// the same from one pass to the next.
uint32_t mostBytesOfRoundTrip(Operation *op) {
  const Target *target = targetOf(op);
  return target ? target->maxSharedPerBlock / 2 : AnyBytes;
}

} // namespace

ConversionPlan planOf(tile::ConvertLayoutOp op, const Executor &executor) {
  return planConversion(tile::layoutOf(op.getSource().getType()).getLayout(),
                        tile::layoutOf(op.getType()).getLayout(), executor.threadBits(),
                        bytesOf(op.getType()), matrixMovesOf(op), mostBytesOfRoundTrip(op));
}

ConversionRoute routeOf(tile::ConvertLayoutOp op, const Executor &executor) {
  return routeOfConversion(layoutIn(op.getSource()), layoutIn(op.getResult()), executor.threadBits());
}

SharedAccess planOf(tgpu::LocalLoadOp op, const Executor &executor) {
  tgpu::BufferType buffer = op.getBuffer().getType();
  PartPlace part{op.getOffsets()};
  if (op.getPosition()) {
    part.axis = unsigned(*op.getAxis());
    part.stride = int32_t(*op.getStride());
  }
  return planSharedAccess(buffer.getLayout().getLayout(), layoutIn(op.getResult()), part,
                          executor.threadBits(), buffer.getElementBytes(), SharedMove::LoadMatrices);
}

/// Plans how the tensor that `op` writes into a slot gets there.
template <typename Op> static SharedAccess planWrite(Op op, const Executor &executor) {
  tgpu::BufferType buffer = op.getBuffer().getType();
  return planSharedAccess(buffer.getLayout().getLayout(), layoutIn(op.getSource()), {}, executor.threadBits(),
                          buffer.getElementBytes(),
                          matrixMovesOf(op).store ? SharedMove::StoreMatrices : SharedMove::Vectors);
}

SharedAccess planOf(tgpu::LocalStoreOp op, const Executor &executor) { return planWrite(op, executor); }
SharedAccess planOf(tgpu::TmaStoreOp op, const Executor &executor) { return planWrite(op, executor); }

CopyPlan planOf(tgpu::AsyncCopyOp op, ArrayRef<unsigned> contiguous, const Executor &executor) {
  tgpu::BufferType buffer = op.getBuffer().getType();
  CopyPlan plan;
  plan.shared = planCopy(buffer.getLayout().getLayout(), layoutIn(op.getPointers()), contiguous,
                         executor.threadBits(), buffer.getElementBytes(), plan.global);
  plan.bytes = plan.shared.elements * buffer.getElementBytes();
  return plan;
}

static SmallVector<unsigned> bytesOfAll(ValueRange tensors) {
  SmallVector<unsigned> bytes;
  for (Value tensor : tensors)
    bytes.push_back(bytesOf(tensor.getType()));
  return bytes;
}

ReductionPlan planOf(tile::ReduceOp op, const Executor &executor) {
  return planReduction(layoutIn(op.getOperands().front()), op.getAxis(), executor.threadBits(),
                       bytesOfAll(op.getOperands()), combineTraitsOf(op));
}

ScanPlan planOf(tile::ScanOp op, const Executor &executor) {
  return planScan(layoutIn(op.getOperands().front()), op.getAxis(), op.getReverse(), executor.threadBits(),
                  bytesOfAll(op.getOperands()));
}

ConversionPlan planOf(tile::ButterflyOp op, const Executor &executor) {
  return planButterfly(layoutIn(op.getSource()), op.getAxis(), uint32_t(op.getMask()), executor.threadBits(),
                       bytesOf(op.getType()));
}

HistogramPlan planOf(tile::HistogramOp op, const Executor &executor) {
  return planHistogram(layoutIn(op.getSource()), layoutIn(op.getResult()), executor.threadBits());
}

GatherPlan planOf(tile::GatherOp op, const Executor &executor) {
  return planGather(layoutIn(op.getSource()), layoutIn(op.getResult()), op.getAxis(), executor.threadBits(),
                    bytesOf(op.getType()));
}

LinearLayout placesOf(Type type, const Executor &executor) {
  if (tile::LayoutAttr layout = tile::layoutOf(type))
    return layout.getLayout();
  std::vector<uint64_t> columns(executor.threadBits(), 0);
  return LinearLayout::fromColumns(
      {{Dim::Register, 0}, {Dim::Lane, LaneBits}, {Dim::Warp, executor.warpBits()}, {Dim::Block, 0}},
      {{tensorDim(0), 0}}, columns);
}

BroadcastPlan broadcastPlanOf(Operation *atomic, const Executor &executor) {
  if (atomic->use_empty())
    return {};
  Value result = atomic->getResult(0);
  Type element = tile::elementTypeOf(result.getType());
  unsigned bytes = isa<tile::PtrType>(element) ? 8 : element.getIntOrFloatBitWidth() / 8;
  return planBroadcast(placesOf(result.getType(), executor), executor.threadBits(), bytes);
}

} // namespace tegula
