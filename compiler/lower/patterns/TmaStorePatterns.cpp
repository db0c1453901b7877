// tma_store and tma_store_wait: tensors that go to shared memory and from there, by `cp.async.bulk.tensor`,
// to boxes of an array.
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/lower/code/Expectations.h"
#include "compiler/lower/code/InlinePtx.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/lower/patterns/Patterns.h"
#include "compiler/target/Target.h"
#include "dialect/tgpu/Tgpu.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

/// One thread of each part has its boxes stored, which are where the first part's are and some steps on.
void startCopies(OpBuilder &builder, tgpu::TmaStoreOp op, Adaptor<tgpu::TmaStoreOp> adaptor, Value slot,
                 Value elected, ThreadIndex &threads) {
  Location loc = op.getLoc();
  const unsigned parts = op.getParts();
  const TmaBoxes boxes = op.getBoxes();
  const size_t ofPart = boxes.places.size() / parts;
  SmallVector<uint32_t> bytes, along, across; // the part that each bit of a part's number means
  for (unsigned part = 1; part < parts; part *= 2) {
    bytes.push_back(part * uint32_t(ofPart) * boxes.boxBytes());
    along.push_back(uint32_t(boxes.places[part * ofPart].first));
    across.push_back(uint32_t(boxes.places[part * ofPart].second));
  }
  auto moved = [&](Value value, ArrayRef<uint32_t> columns) -> Value {
    Value step = columns.empty() ? Value() : threads.linearOfParts(builder, parts, columns);
    return step ? arith::AddIOp::create(builder, loc, value, step).getResult() : value;
  };
  Value from = moved(LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), slot), bytes);
  SmallVector<Value> start;
  for (ValueRange coordinate : adaptor.getStart())
    start.push_back(coordinate.front());
  for (Value coordinate : start)
    expectInArray(builder, loc, coordinate, elected);
  start[0] = moved(start[0], along);
  start[1] = moved(start[1], across);
  for (size_t index = 0; index < ofPart; ++index) {
    const SmallVector<Value> corner = cornerOf(builder, loc, start, boxes.places[index]);
    InlinePtx ptx(builder, loc);
    // In the order in which they are named.
    std::string map = ptx.operand(adaptor.getMap().front()), coordinates = ptx.operands(corner),
                memory = ptx.operand(from);
    ptx.onlyIf(elected);
    ptx.emit(llvm::formatv("cp.async.bulk.tensor.{0}d.global.shared::cta.bulk_group [{1}, {2}], [{3}+{4}];",
                           corner.size(), map, coordinates, memory, uint32_t(index) * boxes.boxBytes())
                 .str());
  }
  InlinePtx ptx(builder, loc);
  ptx.onlyIf(elected);
  ptx.emit("cp.async.bulk.commit_group;");
}

LogicalResult lowerTmaStore(tgpu::TmaStoreOp op, Adaptor<tgpu::TmaStoreOp> adaptor, Rewriter &rewriter,
                            LoweringState &state) {
  Location loc = op.getLoc();
  const Executor executor = state.executorOf(op);
  ThreadIndex &threads = state.threadsOf(op);
  const unsigned parts = op.getParts();
  if (executor.warps % parts != 0)
    return op.emitError() << "expected parts that divide " << executor.warps << " warps, found " << parts;
  Value slot = slotAddress(rewriter, loc, adaptor.getBuffer().front(), adaptor.getSlot().front(),
                           op.getBuffer().getType());
  storeToShared(rewriter, loc, planOf(op, executor), slot, adaptor.getSource(), threads);
  // Each thread fences what it wrote, and then all wait: the elected thread's TMA sees all of it.
  emitProxyFence(rewriter, loc);
  emitPartBarrier(rewriter, loc, executor, parts, threads);
  startCopies(rewriter, op, adaptor, slot,
              threads.noneOf(rewriter, Target::warpSize * (executor.warps / parts) - 1), threads);
  return success();
}

/// All threads carry it out: those that started nothing have nothing to wait for.
void lowerTmaStoreWait(tgpu::TmaStoreWaitOp op, Adaptor<tgpu::TmaStoreWaitOp>, Rewriter &rewriter,
                       LoweringState &state) {
  InlinePtx(rewriter, op.getLoc())
      .emit(llvm::formatv("cp.async.bulk.wait_group{0} {1};", op.getRead() ? ".read" : "", op.getPending())
                .str());
  if (op.getRefill())
    emitPartBarrier(rewriter, op.getLoc(), state.executorOf(op), op.getParts(), state.threadsOf(op));
}

} // namespace

void populateTmaStorePatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerTmaStore, lowerTmaStoreWait>(patterns, state);
}

} // namespace tegula
