// tensor_map, barriers, tma_copy, barrier_expect and barrier_wait: `cp.async.bulk.tensor` and the barriers
// that it signals; producer and barrier_arrive: warps that only start such copies.
#include "compiler/analysis/access/Box.h"
#include "compiler/analysis/resources/ScratchBytes.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/BufferAddress.h"
#include "compiler/lower/code/ClusterCode.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/Expectations.h"
#include "compiler/lower/code/InlinePtx.h"
#include "compiler/lower/patterns/Patterns.h"
#include "compiler/target/Target.h"
#include "dialect/layout/UnitMemory.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/BlockPairs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

#include <bit>

using namespace mlir;

namespace tegula {
namespace {

/// An address of shared memory as the 32 bits that instructions take.
Value sharedAddress(OpBuilder &builder, Location loc, Value pointer) {
  return LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), pointer);
}

/// The address of the barrier of slot `slot`.
Value barrierAddress(OpBuilder &builder, Location loc, Value barriers, Value slot) {
  Value bytes = arith::MulIOp::create(builder, loc, slot, constant(builder, loc, BarrierBytes));
  return arith::AddIOp::create(builder, loc, sharedAddress(builder, loc, barriers), bytes);
}

/// Returns a value that is true in the elected thread, which starts TMA for all of those that execute `op`;
/// null where one thread alone executes it.
Value isElected(OpBuilder &builder, LoweringState &state, Operation *op) {
  const Executor executor = state.executorOf(op);
  if (executor.isOneThread)
    return {};
  return state.threadsOf(op).noneOf(builder, std::bit_ceil(Target::warpSize * executor.warps) - 1);
}

Value electedIf(OpBuilder &builder, LoweringState &state, Operation *op, ValueRange condition) {
  Value elected = isElected(builder, state, op);
  if (condition.empty())
    return elected;
  return elected ? bothHold(builder, op->getLoc(), condition.front(), elected) : condition.front();
}

/// Emits one instruction for each of `barriers`, by the elected thread: `before`, the barrier's address in
/// brackets, and what `behind` adds.
void emitForEach(OpBuilder &builder, LoweringState &state, Operation *op, tgpu::BarriersType type,
                 Value barriers, StringRef before, llvm::function_ref<std::string(InlinePtx &)> behind) {
  Value address = sharedAddress(builder, op->getLoc(), barriers);
  for (uint32_t slot = 0; slot < type.getSlots(); ++slot) {
    InlinePtx ptx(builder, op->getLoc());
    std::string text = llvm::formatv("{0} [{1}+{2}]", before, ptx.operand(address), slot * BarrierBytes);
    text += behind(ptx) + ";";
    ptx.onlyIf(isElected(builder, state, op));
    ptx.emit(text);
  }
}

struct TensorMapPattern : StatefulPattern<tgpu::TensorMapOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::TensorMapOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value map = state.maps.lookup(op);
    // The loads of the map are made at once. Stores come at the end, and would wait for the map then.
    if (llvm::any_of(op->getUsers(), llvm::IsaPred<tgpu::TmaStoreOp>)) {
      InlinePtx ptx(rewriter, op.getLoc());
      std::string text = llvm::formatv("prefetch.tensormap [{0}];", ptx.operand(map));
      ptx.onlyIf(isElected(rewriter, state, op));
      ptx.emit(text);
    }
    rewriter.replaceOp(op, map);
    return success();
  }
};

struct BarriersPattern : StatefulPattern<tgpu::BarriersOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::BarriersOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, state.scratchOf(rewriter, op));
    return success();
  }
};

struct BarriersInitPattern : StatefulPattern<tgpu::BarriersInitOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::BarriersInitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    tgpu::BarriersType type = op.getBarriers().getType();
    Value ofAll = type.getBlocks() > 1
                      ? arith::MulIOp::create(rewriter, loc, constant(rewriter, loc, type.getArrivals()),
                                              clusterSize(rewriter, loc))
                            .getResult()
                      : Value();
    emitForEach(rewriter, state, op, type, adaptor.getBarriers().front(), "mbarrier.init.shared.b64",
                [&](InlinePtx &ptx) {
                  return ", " + (ofAll ? ptx.operand(ofAll) : std::to_string(type.getArrivals()));
                });
    // TMA must see initialised barriers as well; one fence and one barrier do for several in a row.
    Operation *next = op->getNextNode();
    if (!isa_and_nonnull<tgpu::BarriersInitOp>(next)) {
      NVVM::FenceMbarrierInitOp::create(rewriter, loc);
      if (!isa_and_nonnull<tgpu::ClusterBarrierOp>(next)) // at which the block's threads wait as well
        emitBarrier(rewriter, loc, state.executorOf(op));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct BarriersEndPattern : StatefulPattern<tgpu::BarriersEndOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::BarriersEndOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    emitBarrier(rewriter, loc, state.executorOf(op));
    emitForEach(rewriter, state, op, op.getBarriers().getType(), adaptor.getBarriers().front(),
                "mbarrier.inval.shared.b64", [](InlinePtx &) { return std::string(); });
    rewriter.eraseOp(op);
    return success();
  }
};

struct TmaCopyPattern : StatefulPattern<tgpu::TmaCopyOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::TmaCopyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    tgpu::BufferType type = op.getBuffer().getType();
    std::optional<TmaBoxes> boxes = asTmaBoxes(type.getLayout().getLayout(), type.getElementBytes());
    Value slot = sharedAddress(
        rewriter, loc,
        slotAddress(rewriter, loc, adaptor.getBuffer().front(), adaptor.getSlot().front(), type));
    Value barrier =
        barrierAddress(rewriter, loc, adaptor.getBarriers().front(), adaptor.getPhaseSlot().front());
    Value predicate =
        electedIf(rewriter, state, op, op.getCondition() ? adaptor.getCondition() : ValueRange());
    // One branch costs a thread that is alone less than a predicate for each box.
    if (predicate && state.executorOf(op).isOneThread) {
      auto branch = scf::IfOp::create(rewriter, loc, predicate, /*withElseRegion=*/false);
      rewriter.setInsertionPointToStart(branch.thenBlock());
      predicate = {};
    }
    SmallVector<Value> start;
    for (ValueRange coordinate : adaptor.getStart())
      start.push_back(coordinate.front());
    auto inFront = op->getAttrOfType<DenseI32ArrayAttr>(InFrontAttrName);
    for (auto [axis, coordinate] : llvm::enumerate(start))
      if (!inFront || !llvm::is_contained(inFront.asArrayRef(), int32_t(axis)))
        expectInArray(rewriter, loc, coordinate, predicate);
    for (auto [index, place] : llvm::enumerate(boxes->places)) {
      SmallVector<Value> corner(start);
      auto advance = [&](Value &coordinate, int32_t by) {
        if (by)
          coordinate = arith::AddIOp::create(rewriter, loc, coordinate, constant(rewriter, loc, by));
      };
      advance(corner[0], place.first);
      advance(corner[1], place.second);
      copy(rewriter, op, adaptor.getMap().front(), corner, slot, uint32_t(index) * boxes->boxBytes(), barrier,
           predicate);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Copies the box of the array of `map` at `corner` to `bytes` after `slot`, for `op`.
  static void copy(OpBuilder &builder, tgpu::TmaCopyOp op, Value map, ArrayRef<Value> corner, Value slot,
                   uint32_t bytes, Value barrier, Value predicate) {
    Location loc = op.getLoc();
    InlinePtx ptx(builder, loc);
    // In the order in which they are named.
    std::string to = ptx.operand(slot), from = ptx.operand(map), coordinates = ptx.operands(corner),
                signalled = ptx.operand(barrier);
    if (corner.size() == 1)
      coordinates = "{" + coordinates + "}";
    StringRef manner;
    std::string blocks;
    if (op.getMulticast()) {
      constexpr uint32_t both = (1u << tile::BlocksOfPair) - 1;
      manner = ".multicast::cluster";
      blocks = ", " + ptx.operand(arith::ConstantIntOp::create(builder, loc, both, 16));
    }
    ptx.onlyIf(predicate);
    ptx.emit(llvm::formatv("cp.async.bulk.tensor.{0}d.shared::cluster.global.mbarrier::complete_tx::bytes{1} "
                           "[{2}+{3}], [{4}, {5}], [{6}]{7};",
                           corner.size(), manner, to, bytes, from, coordinates, signalled, blocks)
                 .str());
  }
};

struct BarrierExpectPattern : StatefulPattern<tgpu::BarrierExpectOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::BarrierExpectOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    InlinePtx ptx(rewriter, loc);
    std::string text = llvm::formatv("mbarrier.arrive.expect_tx.shared.b64 _, [{0}], {1};",
                                     ptx.operand(barrierAddress(rewriter, loc, adaptor.getBarriers().front(),
                                                                adaptor.getPhaseSlot().front())),
                                     op.getBytes());
    ptx.onlyIf(electedIf(rewriter, state, op, op.getCondition() ? adaptor.getCondition() : ValueRange()));
    ptx.emit(text);
    rewriter.eraseOp(op);
    return success();
  }
};

/// The hardware may give up before the phase is complete: asked again then.
struct BarrierWaitPattern : StatefulPattern<tgpu::BarrierWaitOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::BarrierWaitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value bytes = arith::MulIOp::create(rewriter, loc, adaptor.getPhaseSlot().front(),
                                        constant(rewriter, loc, BarrierBytes));
    Value barriers = adaptor.getBarriers().front();
    Value barrier = LLVM::GEPOp::create(rewriter, loc, barriers.getType(), rewriter.getI8Type(), barriers,
                                        ArrayRef<LLVM::GEPArg>{bytes});
    Value parity = adaptor.getParity().front();
    const auto scope = NVVM::MemScopeKindAttr::get(getContext(), op.getBarriers().getType().getBlocks() > 1
                                                                     ? NVVM::MemScopeKind::CLUSTER
                                                                     : NVVM::MemScopeKind::CTA);
    scf::WhileOp::create(
        rewriter, loc, TypeRange(), ValueRange(),
        [&](OpBuilder &builder, Location, ValueRange) {
          Value isDone = NVVM::MBarrierTryWaitOp::create(builder, loc, builder.getI1Type(), barrier, parity,
                                                         /*ticks=*/Value(), scope);
          Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
          Value again = arith::XOrIOp::create(builder, loc, isDone, yes);
          scf::ConditionOp::create(builder, loc, again, ValueRange());
        },
        [&](OpBuilder &builder, Location, ValueRange) { scf::YieldOp::create(builder, loc); });
    rewriter.eraseOp(op);
    return success();
  }
};

/// The op that the function is split at: its warps branch to the body and end there, the others go on. One
/// thread of its first warp does it all: `elect.sync` tells the assembler so, which otherwise makes a loop
/// over the lanes that may start a copy out of each one.
struct ProducerPattern : StatefulPattern<tgpu::ProducerOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::ProducerOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Block *before = op->getBlock(), *body = &op.getBody().front();
    Block *rest = rewriter.splitBlock(before, std::next(op->getIterator()));
    rewriter.inlineRegionBefore(op.getBody(), rest);
    rewriter.setInsertionPointToEnd(body);
    LLVM::ReturnOp::create(rewriter, loc, ValueRange());
    Block *end = rewriter.createBlock(rest);
    LLVM::ReturnOp::create(rewriter, loc, ValueRange());
    Block *elect = rewriter.createBlock(body);
    Value elected = NVVM::ElectSyncOp::create(rewriter, loc, rewriter.getI1Type(), /*membermask=*/Value());
    LLVM::CondBrOp::create(rewriter, loc, elected, body, end);
    Block *enter = op.getWarps() > 1 ? handOver(rewriter, op, elect, end, rest) : elect;
    rewriter.setInsertionPoint(op);
    LLVM::CondBrOp::create(rewriter, loc, isFromWarp(rewriter, op, 0), enter, rest);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Returns whether a thread is of the producer's warp `number` or one behind.
  Value isFromWarp(OpBuilder &builder, tgpu::ProducerOp op, unsigned number) const {
    return state.threadsOf(op).isFrom(builder, Target::warpSize * (state.executorOf(op).firstWarp + number));
  }

  /// Returns the block that several warps enter: the first goes on to `first`, the others hand their
  /// registers over to the threads of `rest` and end.
  Block *handOver(ConversionPatternRewriter &rewriter, tgpu::ProducerOp op, Block *first, Block *end,
                  Block *rest) const {
    Location loc = op.getLoc();
    Block *enter = rewriter.createBlock(first);
    if (std::optional<ArrayRef<int32_t>> registers = op.getRegisters()) {
      setRegisters(rewriter, loc, enter, NVVM::SetMaxRegisterAction::decrease, (*registers)[0]);
      setRegisters(rewriter, loc, rest, NVVM::SetMaxRegisterAction::increase, (*registers)[1]);
    }
    rewriter.setInsertionPoint(op);
    Value isOther = isFromWarp(rewriter, op, 1);
    rewriter.setInsertionPointToEnd(enter);
    LLVM::CondBrOp::create(rewriter, loc, isOther, end, first);
    return enter;
  }

  static void setRegisters(OpBuilder &builder, Location loc, Block *block, NVVM::SetMaxRegisterAction action,
                           int32_t count) {
    builder.setInsertionPointToStart(block);
    NVVM::SetMaxRegisterOp::create(builder, loc, uint32_t(count), action);
  }
};

/// Arrives by one elected thread of each part of the warps. A warp alone may have read by its threads, each
/// of which must be done; what a group of warps has read is done for all of them at once.
struct BarrierArrivePattern : StatefulPattern<tgpu::BarrierArriveOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::BarrierArriveOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    uint32_t warps = state.executorOf(op).warps, arrivals = op.getBarriers().getType().getArrivals();
    if (arrivals > warps || warps % arrivals != 0)
      return op.emitError() << "expected arrivals that divide " << warps << " warps, found " << arrivals;
    if (arrivals == warps)
      emitWarpBarrier(rewriter, loc);
    Value elected = state.threadsOf(op).noneOf(rewriter, Target::warpSize * (warps / arrivals) - 1);
    if (op.getCondition())
      elected = bothHold(rewriter, loc, adaptor.getCondition().front(), elected);
    Value barrier =
        barrierAddress(rewriter, loc, adaptor.getBarriers().front(), adaptor.getPhaseSlot().front());
    arrive(rewriter, loc, "mbarrier.arrive.shared.b64", barrier, elected);
    if (op.getBarriers().getType().getBlocks() > 1)
      arriveAtOther(rewriter, loc, barrier, elected);
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void arrive(OpBuilder &builder, Location loc, StringRef instruction, Value barrier,
                     Value predicate) {
    InlinePtx ptx(builder, loc);
    std::string text = llvm::formatv("{0} _, [{1}];", instruction, ptx.operand(barrier));
    ptx.onlyIf(predicate);
    ptx.emit(text);
  }

  /// Arrives at the barrier at the same place in the other block of a pair, where the launch makes pairs.
  /// Nothing that threads wrote is passed on by it, so that no scope is named: with `.release.cluster` each
  /// arrival waits for all memory, and products of 4096 took 1.5 times as long on an H100.
  static void arriveAtOther(OpBuilder &builder, Location loc, Value barrier, Value elected) {
    Value size = clusterSize(builder, loc);
    Value isPair = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, size,
                                         constant(builder, loc, tile::BlocksOfPair));
    // Itself where it is alone: an address in a block that is not there is undefined.
    Value other = arith::XOrIOp::create(builder, loc, clusterRank(builder, loc),
                                        arith::SubIOp::create(builder, loc, size, constant(builder, loc, 1)));
    arrive(builder, loc, "mbarrier.arrive.shared::cluster.b64", addressInBlock(builder, loc, barrier, other),
           bothHold(builder, loc, isPair, elected));
  }
};

} // namespace

void populateTmaPatterns(const TypeConverter &types, RewritePatternSet &patterns, LoweringState &state) {
  patterns.add<TensorMapPattern, BarriersPattern, BarriersInitPattern, BarriersEndPattern, TmaCopyPattern,
               BarrierExpectPattern, BarrierWaitPattern, ProducerPattern, BarrierArrivePattern>(
      types, patterns.getContext(), state);
}

} // namespace tegula
