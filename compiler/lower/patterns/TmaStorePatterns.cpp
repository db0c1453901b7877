// tma_store and tma_store_wait: tensors that go to shared memory and from there, by `cp.async.bulk.tensor`,
// to boxes of an array.
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/lower/code/BufferAddress.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/Expectations.h"
#include "compiler/lower/code/InlinePtx.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/lower/patterns/Patterns.h"
#include "compiler/target/Target.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

struct TmaStorePattern : StatefulPattern<tgpu::TmaStoreOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::TmaStoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
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
    NVVM::FenceProxyOp::create(rewriter, loc, NVVM::ProxyKind::async_shared,
                               NVVM::SharedSpaceAttr::get(getContext(), NVVM::SharedSpace::shared_cta));
    emitPartBarrier(rewriter, loc, executor, parts, threads);
    startCopies(rewriter, op, adaptor, slot,
                threads.noneOf(rewriter, Target::warpSize * (executor.warps / parts) - 1), threads);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// One thread of each part has its boxes stored, which are where the first part's are and some steps on.
  static void startCopies(OpBuilder &builder, tgpu::TmaStoreOp op, OneToNOpAdaptor adaptor, Value slot,
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
      SmallVector<Value> corner(start);
      auto advance = [&](Value &coordinate, int32_t by) {
        if (by)
          coordinate = arith::AddIOp::create(builder, loc, coordinate, constant(builder, loc, by));
      };
      advance(corner[0], boxes.places[index].first);
      advance(corner[1], boxes.places[index].second);
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
};

/// All threads carry it out: those that started nothing have nothing to wait for.
struct TmaStoreWaitPattern : StatefulPattern<tgpu::TmaStoreWaitOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::TmaStoreWaitOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    InlinePtx(rewriter, op.getLoc())
        .emit(llvm::formatv("cp.async.bulk.wait_group{0} {1};", op.getRead() ? ".read" : "", op.getPending())
                  .str());
    if (op.getRefill())
      emitPartBarrier(rewriter, op.getLoc(), state.executorOf(op), op.getParts(), state.threadsOf(op));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateTmaStorePatterns(const TypeConverter &types, RewritePatternSet &patterns, LoweringState &state) {
  patterns.add<TmaStorePattern, TmaStoreWaitPattern>(types, patterns.getContext(), state);
}

} // namespace tegula
