// The pass `specialize-warps`: Passes.td says what it makes of loops.
#include "compiler/analysis/Decision.h"
#include "compiler/analysis/FindOps.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/plan/LoopDecisions.h"
#include "compiler/schedule/plan/LoopNest.h"
#include "compiler/schedule/specialize/ProducerScalars.h"
#include "compiler/schedule/specialize/WarpSpecializer.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_SPECIALIZEWARPSPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

/// Decides whether the loads of `loop` can be given to a producer, whatever was planned.
Decision<> canSpecialize(scf::ForOp loop, const LoopSchedule &schedule) {
  if (!loopsAround(loop))
    return because("expected the loop to stand in loops alone");
  if (schedule.loads.empty())
    return because("expected loads that a producer can make");
  for (const ScheduledLoad &scheduled : schedule.loads) {
    if (scheduled.by != tgpu::FetchKind::Tma)
      return because("expected loads by `tma` alone");
    if (scheduled.slots() != schedule.stages)
      return because("expected buffers with a slot for each stage");
    const SmallVector<tgpu::BufferRead> reads = scheduled.readsIn(loop);
    if (reads.empty() ||
        !llvm::all_of(reads, [](const tgpu::BufferRead &read) { return isa<tgpu::MmaOp>(read.op); }))
      return because("expected products to read what a producer loads");
  }
  return {};
}

/// Decides whether `load` can be given to the producer of `loops`, whatever was planned.
Decision<> canKeep(tgpu::TmaLoadOp load, const SpecializedLoops &loops) {
  auto around = dyn_cast<scf::ForOp>(load->getParentOp());
  if (loops.around.size() != 1 || !around || !isa<func::FuncOp>(around->getParentOp()))
    return because("expected a load without `tgpu.fetch` in the one loop around those of a producer");
  const SmallVector<tgpu::BufferRead> reads = tgpu::readsOf(load.getBuffer());
  if (reads.empty() || !llvm::all_of(reads, [&](const tgpu::BufferRead &read) {
        auto loop = dyn_cast<scf::ForOp>(read.op->getParentOp());
        return isa<tgpu::MmaOp>(read.op) && loop && loop->getParentOp() == around &&
               load->isBeforeInBlock(loop);
      }))
    return because("expected products in loops behind it to read what a producer loads once");
  return {};
}

/// Gives `load`, which stands in the one loop around those of the producer, to the producer: it loads for the
/// next time round that loop when all loops in there have ended. All loops are specialised. Its operand is
/// kept for the products of all iterations, such as queries of attention:
///
///     producer:  for tiles: await empty | expect full | copy q | for k: ...
///     consumers: for tiles: await full  | for k: ...           | arrive empty | store
void specializeKeptLoad(tgpu::TmaLoadOp load, SpecializedLoops &loops) {
  Location loc = load.getLoc();
  auto kernel = load->getParentOfType<func::FuncOp>();
  auto programs = cast<scf::ForOp>(load->getParentOp());
  scf::ForOp &copy = loops.around.front();
  IRRewriter rewriter(load);
  const Channel channel = makeChannel(rewriter, loc, kernel, /*slots=*/1);
  rewriter.setInsertionPoint(loops.producer);
  for (Value barriers : {channel.full, channel.empty})
    tgpu::BarriersInitOp::create(rewriter, loc, barriers);
  auto carry = [&](scf::ForOp &loop, unsigned parity) {
    rewriter.setInsertionPoint(loop);
    auto type = tgpu::PipelineStateType::get(rewriter.getContext(), /*slots=*/1);
    return carryState(rewriter, loop, tgpu::PipelineBeginOp::create(rewriter, loc, type, parity));
  };
  auto awaitPhase = [&](Value barriers, Value state) {
    Value slot = tgpu::PipelineSlotOp::create(rewriter, loc, state),
          phase = tgpu::PipelinePhaseOp::create(rewriter, loc, state);
    tgpu::BarrierWaitOp::create(rewriter, loc, barriers, slot, phase);
    return slot;
  };

  Value filled = carry(copy, /*parity=*/1);
  scf::ForOp first = *copy.getBody()->getOps<scf::ForOp>().begin();
  ScalarSlice slice;
  slice.add(&kernel.getBody().front(), &loops.producer.getBody().front());
  slice.add(programs, copy, first);
  SmallVector<Value> start;
  for (Value coordinate : load.getStart())
    start.push_back(slice.get(coordinate));
  rewriter.setInsertionPoint(first);
  Value slot = awaitPhase(channel.empty, filled);
  tgpu::BarrierExpectOp::create(rewriter, loc, load.getBuffer().getType().getSlotBytes(), channel.full, slot,
                                /*condition=*/Value());
  createTmaCopy(rewriter, load, start, slot, channel.full);

  Value read = carry(programs, /*parity=*/0);
  rewriter.setInsertionPoint(load);
  slot = awaitPhase(channel.full, read);
  rewriter.eraseOp(load);
  // Not in the last iteration already, as soon as the products that read it are over: on an H200 attention
  // with heads of 128 gained 12% by that at 512 keys and lost 8% at 16384, for four instructions in each
  // iteration.
  rewriter.setInsertionPointAfter(loops.last);
  tgpu::BarrierArriveOp::create(rewriter, loc, channel.empty, slot, /*condition=*/Value());
}

struct SpecializeWarps : impl::SpecializeWarpsPassBase<SpecializeWarps> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      auto roles = dyn_cast_or_null<tgpu::RolesAttr>(kernel->removeAttr(tgpu::RolesAttr::AttrName));
      if (failed(specialize(kernel, roles)))
        return signalPassFailure();
    }
  }

private:
  static LogicalResult specialize(func::FuncOp kernel, tgpu::RolesAttr roles) {
    SpecializedLoops before;
    for (scf::ForOp loop : opsOf<scf::ForOp>(kernel, isByProducer)) {
      FailureOr<LoopSchedule> schedule = takeSchedule(loop);
      if (failed(schedule))
        return failure();
      if (!roles)
        return loop.emitError("expected the kernel to have `tgpu.roles`");
      if (Decision<> can = canSpecialize(loop, *schedule); !can)
        return loop.emitError(can.error().text);
      specializeLoop(loop, *schedule, roles, before);
    }
    auto isKept = [](tgpu::TmaLoadOp load) { return load.isKept(); };
    for (tgpu::TmaLoadOp load : opsOf<tgpu::TmaLoadOp>(kernel, isKept)) {
      if (Decision<> can = canKeep(load, before); !can)
        return load.emitError(can.error().text);
      specializeKeptLoad(load, before);
    }
    return success();
  }
};

} // namespace

} // namespace tegula
