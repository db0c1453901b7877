// The pass `specialize-warps`: Passes.td says what it makes of loops.
#include "compiler/analysis/Decision.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/plan/LoopDecisions.h"
#include "compiler/schedule/plan/LoopNest.h"
#include "compiler/schedule/specialize/KeptLoads.h"

namespace tegula {
#define GEN_PASS_DEF_SPECIALIZEWARPSPASS
#include "compiler/schedule/Passes.h.inc"
} // namespace tegula

using namespace mlir;

namespace tegula {

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
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](scf::ForOp loop) {
      if (isByProducer(loop))
        loops.push_back(loop);
    });
    SpecializedLoops before;
    for (scf::ForOp loop : loops) {
      FailureOr<LoopSchedule> schedule = takeSchedule(loop);
      if (failed(schedule))
        return failure();
      if (!roles)
        return loop.emitError("expected the kernel to have `tgpu.roles`");
      if (Decision<> can = canSpecialize(loop, *schedule); !can)
        return loop.emitError(can.error().text);
      specializeLoop(loop, *schedule, roles, before);
    }
    SmallVector<tgpu::TmaLoadOp> kept;
    kernel.walk([&](tgpu::TmaLoadOp load) {
      if (load.isKept())
        kept.push_back(load);
    });
    for (tgpu::TmaLoadOp load : kept) {
      if (Decision<> can = canKeep(load, before); !can)
        return load.emitError(can.error().text);
      specializeKeptLoad(load, before);
    }
    return success();
  }
};

} // namespace

} // namespace tegula
