// tensor_map, barriers, tma_copy, barrier_expect and barrier_wait: `cp.async.bulk.tensor` and the barriers
// that it signals; producer and barrier_arrive: warps that only start such copies.
#include "compiler/analysis/access/Box.h"
#include "compiler/analysis/resources/ScratchBytes.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/ClusterCode.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/Expectations.h"
#include "compiler/lower/code/InlinePtx.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/lower/patterns/Patterns.h"
#include "compiler/target/Target.h"
#include "dialect/layout/UnitMemory.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/BlockPairs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>
#include <bit>

using namespace mlir;

namespace tegula {

SmallVector<Value> cornerOf(OpBuilder &builder, Location loc, ArrayRef<Value> start,
                            std::pair<int32_t, int32_t> place) {
  SmallVector<Value> corner(start);
  for (auto [coordinate, by] : llvm::zip(corner, std::array{place.first, place.second}))
    if (by)
      coordinate = arith::AddIOp::create(builder, loc, coordinate, constant(builder, loc, by));
  return corner;
}

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
  return bothHold(builder, op->getLoc(), condition.empty() ? Value() : condition.front(),
                  isElected(builder, state, op));
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

Value lowerTensorMap(tgpu::TensorMapOp op, Adaptor<tgpu::TensorMapOp>, Rewriter &rewriter,
                     LoweringState &state) {
  Value map = state.maps.lookup(op);
  // The loads of the map are made at once. Stores come at the end, and would wait for the map then.
  if (llvm::any_of(op->getUsers(), llvm::IsaPred<tgpu::TmaStoreOp>)) {
    InlinePtx ptx(rewriter, op.getLoc());
    std::string text = llvm::formatv("prefetch.tensormap [{0}];", ptx.operand(map));
    ptx.onlyIf(isElected(rewriter, state, op));
    ptx.emit(text);
  }
  return map;
}

Value lowerBarriers(tgpu::BarriersOp op, Adaptor<tgpu::BarriersOp>, Rewriter &rewriter,
                    LoweringState &state) {
  return state.scratchOf(rewriter, op);
}

void lowerBarriersInit(tgpu::BarriersInitOp op, Adaptor<tgpu::BarriersInitOp> adaptor, Rewriter &rewriter,
                       LoweringState &state) {
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
}

void lowerBarriersEnd(tgpu::BarriersEndOp op, Adaptor<tgpu::BarriersEndOp> adaptor, Rewriter &rewriter,
                      LoweringState &state) {
  emitBarrier(rewriter, op.getLoc(), state.executorOf(op));
  emitForEach(rewriter, state, op, op.getBarriers().getType(), adaptor.getBarriers().front(),
              "mbarrier.inval.shared.b64", [](InlinePtx &) { return std::string(); });
}

/// Copies the box of the array of `map` at `corner` to `bytes` after `slot`, for `op`.
void emitCopy(OpBuilder &builder, tgpu::TmaCopyOp op, Value map, ArrayRef<Value> corner, Value slot,
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

void lowerTmaCopy(tgpu::TmaCopyOp op, Adaptor<tgpu::TmaCopyOp> adaptor, Rewriter &rewriter,
                  LoweringState &state) {
  Location loc = op.getLoc();
  tgpu::BufferType type = op.getBuffer().getType();
  std::optional<TmaBoxes> boxes = asTmaBoxes(type.getLayout().getLayout(), type.getElementBytes());
  Value slot =
      sharedAddress(rewriter, loc,
                    slotAddress(rewriter, loc, adaptor.getBuffer().front(), adaptor.getSlot().front(), type));
  Value barrier =
      barrierAddress(rewriter, loc, adaptor.getBarriers().front(), adaptor.getPhaseSlot().front());
  Value predicate = electedIf(rewriter, state, op, adaptor.getCondition());
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
  for (auto [index, place] : llvm::enumerate(boxes->places))
    emitCopy(rewriter, op, adaptor.getMap().front(), cornerOf(rewriter, loc, start, place), slot,
             uint32_t(index) * boxes->boxBytes(), barrier, predicate);
}

void lowerBarrierExpect(tgpu::BarrierExpectOp op, Adaptor<tgpu::BarrierExpectOp> adaptor, Rewriter &rewriter,
                        LoweringState &state) {
  Location loc = op.getLoc();
  InlinePtx ptx(rewriter, loc);
  std::string text = llvm::formatv("mbarrier.arrive.expect_tx.shared.b64 _, [{0}], {1};",
                                   ptx.operand(barrierAddress(rewriter, loc, adaptor.getBarriers().front(),
                                                              adaptor.getPhaseSlot().front())),
                                   op.getBytes());
  ptx.onlyIf(electedIf(rewriter, state, op, adaptor.getCondition()));
  ptx.emit(text);
}

/// The hardware may give up before the phase is complete: asked again then.
void lowerBarrierWait(tgpu::BarrierWaitOp op, Adaptor<tgpu::BarrierWaitOp> adaptor, Rewriter &rewriter,
                      LoweringState &) {
  Location loc = op.getLoc();
  Value bytes = arith::MulIOp::create(rewriter, loc, adaptor.getPhaseSlot().front(),
                                      constant(rewriter, loc, BarrierBytes));
  Value barrier = addBytes(rewriter, loc, adaptor.getBarriers().front(), bytes);
  Value parity = adaptor.getParity().front();
  const auto scope = NVVM::MemScopeKindAttr::get(op.getContext(), op.getBarriers().getType().getBlocks() > 1
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
}

/// Returns whether a thread is of the producer's warp `number` or one behind.
Value isFromWarp(OpBuilder &builder, LoweringState &state, tgpu::ProducerOp op, unsigned number) {
  return state.threadsOf(op).isFrom(builder, Target::warpSize * (state.executorOf(op).firstWarp + number));
}

void setRegisters(OpBuilder &builder, Location loc, Block *block, NVVM::SetMaxRegisterAction action,
                  int32_t count) {
  builder.setInsertionPointToStart(block);
  NVVM::SetMaxRegisterOp::create(builder, loc, uint32_t(count), action);
}

/// Returns the block that several warps enter: the first goes on to `first`, the others hand their
/// registers over to the threads of `rest` and end.
Block *handOver(Rewriter &rewriter, LoweringState &state, tgpu::ProducerOp op, Block *first, Block *end,
                Block *rest) {
  Location loc = op.getLoc();
  Block *enter = rewriter.createBlock(first);
  if (std::optional<ArrayRef<int32_t>> registers = op.getRegisters()) {
    setRegisters(rewriter, loc, enter, NVVM::SetMaxRegisterAction::decrease, (*registers)[0]);
    setRegisters(rewriter, loc, rest, NVVM::SetMaxRegisterAction::increase, (*registers)[1]);
  }
  rewriter.setInsertionPoint(op);
  Value isOther = isFromWarp(rewriter, state, op, 1);
  rewriter.setInsertionPointToEnd(enter);
  LLVM::CondBrOp::create(rewriter, loc, isOther, end, first);
  return enter;
}

/// The op that the function is split at: its warps branch to the body and end there, the others go on. One
/// thread of its first warp does it all: `elect.sync` tells the assembler so, which otherwise makes a loop
/// over the lanes that may start a copy out of each one.
void lowerProducer(tgpu::ProducerOp op, Adaptor<tgpu::ProducerOp>, Rewriter &rewriter, LoweringState &state) {
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
  Block *enter = op.getWarps() > 1 ? handOver(rewriter, state, op, elect, end, rest) : elect;
  rewriter.setInsertionPoint(op);
  LLVM::CondBrOp::create(rewriter, loc, isFromWarp(rewriter, state, op, 0), enter, rest);
}

void arrive(OpBuilder &builder, Location loc, StringRef instruction, Value barrier, Value predicate) {
  InlinePtx ptx(builder, loc);
  std::string text = llvm::formatv("{0} _, [{1}];", instruction, ptx.operand(barrier));
  ptx.onlyIf(predicate);
  ptx.emit(text);
}

/// Arrives at the barrier at the same place in the other block of a pair, where the launch makes pairs.
/// Nothing that threads wrote is passed on by it, so that no scope is named: with `.release.cluster` each
/// arrival waits for all memory, and products of 4096 took 1.5 times as long on an H100.
void arriveAtOther(OpBuilder &builder, Location loc, Value barrier, Value elected) {
  Value size = clusterSize(builder, loc);
  Value isPair = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, size,
                                       constant(builder, loc, tile::BlocksOfPair));
  // Itself where it is alone: an address in a block that is not there is undefined.
  Value other = arith::XOrIOp::create(builder, loc, clusterRank(builder, loc),
                                      arith::SubIOp::create(builder, loc, size, constant(builder, loc, 1)));
  arrive(builder, loc, "mbarrier.arrive.shared::cluster.b64", addressInBlock(builder, loc, barrier, other),
         bothHold(builder, loc, isPair, elected));
}

/// Arrives by one elected thread of each part of the warps. A warp alone may have read by its threads, each
/// of which must be done; what a group of warps has read is done for all of them at once.
LogicalResult lowerBarrierArrive(tgpu::BarrierArriveOp op, Adaptor<tgpu::BarrierArriveOp> adaptor,
                                 Rewriter &rewriter, LoweringState &state) {
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
  return success();
}

} // namespace

void populateTmaPatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerTensorMap, lowerBarriers, lowerBarriersInit, lowerBarriersEnd, lowerTmaCopy,
               lowerBarrierExpect, lowerBarrierWait, lowerProducer, lowerBarrierArrive>(patterns, state);
}

} // namespace tegula
