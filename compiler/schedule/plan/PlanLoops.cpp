// The pass `plan-loops`: Passes.td says what it decides.
#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/plans/LoopStages.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/plan/LoopPlanner.h"
#include "compiler/schedule/waste/MaskedIterations.h"
#include "compiler/schedule/waste/RepeatedPrograms.h"
#include "compiler/schedule/waste/RepeatedWork.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_PLANLOOPSPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

class PlanLoops : public impl::PlanLoopsPassBase<PlanLoops> {
public:
  void runOnOperation() override {
    target = targetOf(getOperation());
    if (failed(findCopyRuns()))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      const SmallVector<scf::ForOp> loops = opsOf<scf::ForOp>(function);
      LoopPlanner planner(function, target, runs);
      for (scf::ForOp loop : loops)
        planner.reportIgnored(loop);
      function.walk([&](scf::WhileOp loop) { planner.reportWhile(loop); });
      reportRepeatedWork(function);
      reportMaskedIterations(function);
      reportRepeatedPrograms(function);
      for (scf::ForOp loop : loops)
        planner.plan(loop, std::min(stagesOf(loop), tgpu::MaxSlots));
      planner.finish();
      function.walk([](Operation *op) { op->removeAttr("tile.loop"); });
      function.walk([](tile::LoadOp load) { dropBox(load); });
      eraseUnusedBoxes(function);
    }
  }

private:
  /// Asks what is known of the loads that fill buffers once, before any loop is changed: a pipelined loop has
  /// new values, but the loads of the other loops stay what they were.
  LogicalResult findCopyRuns() {
    SmallVector<tile::LoadOp> loads;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || function.getBody().front().getOps<tgpu::AllocOp>().empty())
        continue;
      bool isAsked = false;
      function.walk([&](scf::ForOp loop) {
        if (stagesOf(loop) < 2)
          return;
        isAsked = true;
        for (auto load : loop.getBody()->getOps<tile::LoadOp>())
          if (load->hasOneUse() && isa<tgpu::LocalStoreOp>(*load->getUsers().begin()))
            loads.push_back(load);
      });
      if (isAsked && !requireTarget(getOperation()))
        return failure();
    }
    if (loads.empty() || !target->asyncCopies)
      return success();
    AxisInfoAnalysis facts(getOperation());
    for (tile::LoadOp load : loads)
      runs[load] = copyRunOf(load, facts);
    return success();
  }

  const Target *target = nullptr;
  CopyRuns runs;
};

} // namespace

} // namespace tegula
