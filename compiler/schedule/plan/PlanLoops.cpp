// The pass `plan-loops`: Passes.td says what it decides.
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/plans/LoopStages.h"
#include "compiler/analysis/resources/RegisterLimit.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/plan/KeptLoadPlan.h"
#include "compiler/schedule/plan/LoopDecisions.h"
#include "compiler/schedule/plan/LoopNest.h"
#include "compiler/schedule/plan/OverlapPlan.h"
#include "compiler/schedule/plan/PersistencePlan.h"
#include "compiler/schedule/plan/PlanRemarks.h"
#include "compiler/schedule/plan/RegisterPressure.h"
#include "compiler/schedule/plan/SignedCounter.h"
#include "compiler/schedule/waste/MaskedIterations.h"
#include "compiler/schedule/waste/RepeatedPrograms.h"
#include "compiler/schedule/waste/RepeatedWork.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tegula {
#define GEN_PASS_DEF_PLANLOOPSPASS
#include "compiler/schedule/Passes.h.inc"
} // namespace tegula

using namespace mlir;

namespace tegula {

namespace {

/// Returns whether the author wants a producer warp for `loop`, an innermost one, or for one around it.
bool asksToSpecialize(scf::ForOp loop) {
  if (hasLoops(loop))
    return false;
  for (Operation *op = loop; op; op = op->getParentOp())
    if (auto hints = op->getAttrOfType<tile::LoopAttr>("tile.loop"); hints && hints.getSpecialize())
      return true;
  return false;
}

/// Warps of a multiprocessor that hide what one of them waits for. Attention of 64 by 64 with heads of 64
/// gains 2 to 9% by an overlapped product though four blocks of 4 warps share a multiprocessor then and not
/// five; of 128 by 64 with heads of 128 it loses 20% where one block of 8 does and not two (H200).
constexpr unsigned WarpsThatHide = 12;

/// Plans the loops of one kernel, one after the other: each has what those before it left.
class LoopPlanner {
public:
  struct Options {
    const Target *target;
    const CopyRuns &runs;
  };

  LoopPlanner(func::FuncOp kernel, const Options &options)
      : kernel(kernel), options(options), remarks(kernel) {}

  /// Says which wishes of the author come to nothing: tuning by them would measure noise. Whether `flatten`
  /// does is not known yet.
  void reportIgnored(scf::ForOp loop) {
    auto hints = loop->getAttrOfType<tile::LoopAttr>("tile.loop");
    if (!hints || !told.insert(loop.getLoc()).second)
      return;
    if (hints.getFlatten())
      flattened.emplace_back(loop, loop.getLoc());
    if (hints.getSingleAcc())
      remarks.notHonoured(
          loop.getLoc(), "disallow_acc_multi_buffer",
          because("there is nothing to disallow: an accumulator lies in registers, once").nothingToDo());
  }

  /// Says that loads of `loop` wait for each other, where it loads tensors and is no wait for other programs.
  void reportWhile(scf::WhileOp loop) {
    bool loads = false, waits = false;
    loop->walk([&](Operation *op) {
      const tile::GlobalAccess access = tile::globalAccessOf(op);
      waits |= access.isAtomic() || access.isVolatile;
      loads |= access && access.onlyReads() && op->getParentOfType<LoopLikeOpInterface>() == loop &&
               llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
    });
    if (loads && !waits && told.insert(loop.getLoc()).second)
      remarks.oneStage(
          loop.getLoc(),
          because("it is a `while`, of which the next iteration is not known ahead")
              .fixedBy("count with `for ... in range(...)`, where the number of iterations is known"));
  }

  /// Decides about `loop`, of which `asked` iterations are to be in flight at a time.
  void plan(scf::ForOp loop, uint32_t asked) {
    if (roles.around.contains(loop))
      return;
    const Location loc = loop.getLoc();
    const bool isAsked = asksToSpecialize(loop);
    if (asked < 2)
      return reportOneStage(loop, isAsked);
    remarks.conditional(loop);
    if (canCountWithSign(loop) && !findPrefetchCandidates(loop).loads.empty())
      loop = countWithSign(loop);
    PlannedMemory memory(kernel);
    isRest = loop.getLowerBound() == end;
    end = loop.getUpperBound();
    if (goesOn(loop, memory, asked, isAsked))
      return;
    Decision<PrefetchPlan> plan = planPrefetches(loop, {asked, memory}, options.target, options.runs);
    if (!plan) {
      remarks.refused(loc, asked, plan.error());
      return reportRefusal(loc, isAsked, plan.error());
    }
    remarks.slowCopies(*plan);
    PrefetchPlan ofProducer = productsTogether(loop).size() > 1 ? withoutRegisters(*plan) : *plan;
    Decision<Specialization> how =
        blocksOfSplit(kernel) > 1
            ? because(loop, "the blocks of a cluster share out a loop of the kernel").nothingToDo()
        : blocksOfCluster(kernel) > 1
            ? because(loop, "the blocks of a cluster share the rows of the kernel").nothingToDo()
            : planSpecialization(loop, ofProducer, memory, roles, isAsked);
    if (how)
      return specialize(loop, ofProducer, *how, asked);
    if (plan->has(tgpu::FetchKind::Tma) && !isAsked)
      remarks.notSpecialized(loc, how.error());
    reportRefusal(loc, isAsked, how.error());
    if (plan->hasCopies())
      plan = ofProducer;
    keepLateProduct(loop, *plan, memory);
    remarks.pipelined(loc, *plan, asked);
    writeDecisions(loop, *plan, tgpu::PipelineBy::All);
    if (!loop.getBody()->getOps<tgpu::MmaOp>().empty())
      roles.registersElsewhere =
          std::max(roles.registersElsewhere, estimateRegisters(loop, [](Value) { return false; }));
  }

  /// Decides what goes on from one program to the next, when all loops are planned.
  void finish() {
    if (first)
      persist(first->first, first->second);
    if (kernel->hasAttr(tgpu::GridAttr::AttrName))
      keep(kernel.getBody().front());
    else if (roles.round.size() == 1)
      keep(*roles.round.front().getBody());
    reportFlattened();
  }

private:
  /// Lets `loop` go on with the slots of the producer's earlier loop that stands in the same loop around it:
  /// there these are in use throughout, and slots of its own may not fit next to them. Returns false where it
  /// does not.
  bool goesOn(scf::ForOp loop, PlannedMemory &memory, uint32_t asked, bool isAsked) {
    if (!roles.isAny || roles.round.empty() || loopsAround(loop) != roles.round || asked < roles.slots)
      return false;
    Decision<PrefetchPlan> plan =
        planPrefetches(loop, {roles.slots, memory, /*sharesSlots=*/true}, options.target, options.runs);
    if (!plan)
      return false;
    Decision<Specialization> how = planSpecialization(loop, *plan, memory, roles, isAsked);
    if (how)
      specialize(loop, *plan, *how, asked);
    return bool(how);
  }

  /// Returns `plan` without the loads that wait in registers. Under products that start together there is
  /// time for threads to make these when they need them.
  static PrefetchPlan withoutRegisters(PrefetchPlan plan) {
    llvm::erase_if(plan.loads,
                   [](const PlannedLoad &planned) { return planned.by == tgpu::FetchKind::Registers; });
    plan.registers = 0;
    return plan;
  }

  /// Reports that a loop has one stage, where its author chose so: a loop without products has one by
  /// default.
  void reportOneStage(scf::ForOp loop, bool isAsked) {
    const Reason why =
        because("it has one stage").fixedBy("pass `num_stages=2` or more, for the kernel or in `tl.range`");
    auto hints = loop->getAttrOfType<tile::LoopAttr>("tile.loop");
    const bool isChosen = (hints && hints.getStages()) || !loop.getBody()->getOps<tgpu::MmaOp>().empty();
    if (isChosen && !findPrefetchCandidates(loop).loads.empty())
      remarks.oneStage(loop.getLoc(), why);
    reportRefusal(loop.getLoc(), isAsked, why);
  }

  void reportRefusal(Location loc, bool isAsked, const Reason &why) {
    if (isAsked && refused.insert(loc).second) // one loop may have become several
      remarks.notHonoured(loc, "warp_specialize", why);
  }

  void specialize(scf::ForOp loop, PrefetchPlan &plan, const Specialization &how, uint32_t asked) {
    if (!roles.isAny && loopsAround(loop)->empty())
      first = {loop, how};
    remarks.specialized(loop.getLoc(), plan, asked);
    overlap(loop, plan, how);
    if (roles.isAny)
      shareBuffers(plan, roles);
    roles.add(loop, plan);
    writeRoles(kernel, how);
    writeDecisions(loop, plan, tgpu::PipelineBy::Producer);
  }

  /// Lets blocks run several programs, where that can be.
  void persist(scf::ForOp loop, const Specialization &how) {
    const Decision<> persists = mayPersist(loop, how);
    remarks.persistent(loop.getLoc(), how.blocks, persists);
    if (persists)
      kernel->setAttr(tgpu::GridAttr::AttrName, tgpu::GridAttr::get(kernel.getContext(), how.blocks));
  }

  /// Lets the producer make the loads of the next `program` whose operands are kept in it.
  void keep(Block &program) {
    std::vector<PlannedLoad> kept = planKeptLoads(kernel, program);
    remarks.kept(kept);
    writeKeptLoads(kept);
  }

  /// A producer that goes on from one loop to the next is what `flatten` is for.
  void reportFlattened() const {
    for (auto [loop, loc] : flattened)
      if (!roles.around.contains(loop))
        remarks.notHonoured(loc, "flatten",
                            because("a loop is not merged with the one inside it").nothingToDo());
  }

  /// Lets the second of two products stay in flight until the next iteration's first is waited for, where
  /// that takes no registers that another block would need to hide what is left.
  void keepLateProduct(scf::ForOp loop, PrefetchPlan &plan, PlannedMemory &memory) {
    tgpu::MmaOp product = isRest ? tgpu::MmaOp() : productForNextWait(loop, plan);
    if (!product)
      return;
    const unsigned warps = kernelOf(loop).getWarps();
    const SharedNeed need = memory.needWith(plan.memoryOf(loop, tgpu::PipelineBy::All, plan.stages));
    auto blocksWith = [&](uint32_t registers) {
      return residentBlocks(warps, registers, need.bytes, *options.target);
    };
    const uint32_t registers = estimateRegistersOfKernel(kernel) - Overestimated,
                   withLate = registers + registersOfLateness(loop);
    if (withLate > registerLimit(loop, *options.target))
      return;
    if (blocksWith(withLate) == blocksWith(registers) || blocksWith(withLate) * warps >= WarpsThatHide)
      plan.inFlight.push_back(product);
  }

  /// Lets a product start in the next iteration, where it can and there are registers for that.
  void overlap(scf::ForOp loop, const PrefetchPlan &plan, const Specialization &how) {
    tgpu::MmaOp product = isRest ? tgpu::MmaOp() : productForNextIteration(loop, plan);
    if (!product)
      return;
    remarks.overlapped(product.getLoc(), how.mayBeLate);
    if (how.mayBeLate)
      product->setAttr(tgpu::OverlapAttr::AttrName,
                       tgpu::OverlapAttr::get(loop.getContext(), tgpu::OverlapKind::NextIteration));
  }

  func::FuncOp kernel;
  const Options &options;
  const PlanRemarks remarks;
  PlannedRoles roles;
  std::optional<std::pair<scf::ForOp, Specialization>>
      first; ///< of the kernel's own that a producer loads for
  Value end; ///< of the last loop of which loads run ahead: where it counts to
  /// The loop at hand goes on where that one ended. What is left there, keys under a mask, are one or two
  /// iterations, with nothing that a product could be computed under: on an H200 causal attention is 1 to 25%
  /// quicker where none is late.
  bool isRest = false;
  DenseSet<Location> told, refused; ///< loops of the source, of which one may have become several
  SmallVector<std::pair<Operation *, Location>>
      flattened; ///< which the author wants to be one with the one inside
};

class PlanLoops : public impl::PlanLoopsPassBase<PlanLoops> {
public:
  void runOnOperation() override {
    target = targetOf(getOperation());
    if (failed(findCopyRuns()))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      SmallVector<scf::ForOp> loops;
      function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      const LoopPlanner::Options options{target, runs};
      LoopPlanner planner(function, options);
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
