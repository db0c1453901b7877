// The pass `pipeline-loops`: Passes.td says which loops it pipelines and why.
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/schedule/products/LateProducts.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/persist/PersistPrograms.h"
#include "compiler/schedule/specialize/ProducerScalars.h"
#include "compiler/schedule/pipeline/SignedCounter.h"
#include "compiler/schedule/pipeline/SoftwarePipeliner.h"
#include "compiler/schedule/specialize/WarpSpecializer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

namespace tegula {
#define GEN_PASS_DEF_PIPELINELOOPSPASS
#include "compiler/schedule/Passes.h.inc"
} // namespace tegula

using namespace mlir;

namespace tegula {

namespace {

/// True for loops that have a dot in their body, but not in a loop inside.
bool hasDot(scf::ForOp loop) {
  return loop.getBody()
      ->walk<WalkOrder::PreOrder>([](Operation *op) {
        if (isa<LoopLikeOpInterface>(op))
          return WalkResult::skip();
        return isa<tile::DotOp, tgpu::MmaOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

remark::RemarkOpts remarkIn(func::FuncOp function) {
  return remark::RemarkOpts::name("pipeline").category("pipeline-loops").function(function.getName());
}

bool hasLoops(scf::ForOp loop) {
  return loop.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Whether the author wants warps that only load in `loop`, an innermost one, or in one round it.
bool asksToSpecialize(scf::ForOp loop) {
  if (hasLoops(loop))
    return false;
  for (Operation *op = loop; op; op = op->getParentOp())
    if (auto hints = op->getAttrOfType<tile::LoopAttr>("tile.loop"); hints && hints.getSpecialize())
      return true;
  return false;
}

void reportNotHonoured(func::FuncOp function, Location loc, StringRef wish, StringRef why) {
  remark::missed(loc, remarkIn(function))
      << remark::add("`{0}` is not honoured", wish) << remark::reason("{0}", why);
}

/// A wish for a loop and the one inside it to be one.
struct Flattened {
  Operation *loop; ///< as it was; perhaps another by now
  Location loc;
};

/// Says which wishes of the author come to nothing: whoever tunes by them would measure noise. `told` has the
/// loops of the source that this was said of, as one may have become several. Of `flatten` it is not known
/// yet.
void reportIgnored(func::FuncOp function, scf::ForOp loop, DenseSet<Location> &told,
                   SmallVectorImpl<Flattened> &flattened) {
  auto hints = loop->getAttrOfType<tile::LoopAttr>("tile.loop");
  if (!hints || !told.insert(loop.getLoc()).second)
    return;
  if (hints.getFlatten())
    flattened.push_back({loop, loop.getLoc()});
  if (hints.getSingleAcc())
    reportNotHonoured(function, loop.getLoc(), "disallow_acc_multi_buffer",
                      "there is nothing to disallow: an accumulator lies in registers, once");
}

class PipelineLoops : public impl::PipelineLoopsPassBase<PipelineLoops> {
public:
  using PipelineLoopsPassBase::PipelineLoopsPassBase;

  void runOnOperation() override {
    target = targetOf(getOperation());
    if (failed(findCopyRuns()))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      SmallVector<scf::ForOp> loops;
      function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      DenseSet<Location> told;
      SmallVector<Flattened> flattened;
      specialized = SpecializedLoops();
      end = Value();
      for (scf::ForOp loop : loops)
        reportIgnored(function, loop, told, flattened);
      for (scf::ForOp loop : loops)
        if (!specialized.around.contains(loop) && failed(visit(function, loop)))
          return signalPassFailure();
      // A producer that goes on from one to the next is what it is for.
      for (const Flattened &wish : flattened)
        if (!specialized.around.contains(wish.loop))
          reportNotHonoured(function, wish.loc, "flatten", "a loop is not merged with the one inside it");
      function.walk([](Operation *op) { op->removeAttr("tile.loop"); });
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
        if (stagesFor(function, loop) < 2)
          return;
        isAsked = true;
        for (auto load : loop.getBody()->getOps<tile::LoadOp>())
          if (load->hasOneUse() && isa<tgpu::LocalStoreOp>(*load->getUsers().begin()))
            loads.push_back(load);
      });
      if (isAsked && !requireTarget(getOperation()))
        return failure();
    }
    if (loads.empty())
      return success();
    AxisInfoAnalysis facts(getOperation());
    for (tile::LoadOp load : loads)
      runs[load] = copyRunOf(load, facts);
    return success();
  }

  uint32_t stagesFor(func::FuncOp function, scf::ForOp loop) const {
    auto hints = loop->getAttrOfType<tile::LoopAttr>("tile.loop");
    if (hints && hints.getStages())
      return hints.getStages();
    auto kernel = function->getAttrOfType<tile::KernelAttr>("tile.kernel");
    return kernel && hasDot(loop) ? kernel.getStages() : uint32_t(defaultStages);
  }

  LogicalResult visit(func::FuncOp function, scf::ForOp loop) {
    uint32_t asked = std::min(stagesFor(function, loop), tgpu::MaxSlots);
    remark::RemarkOpts options = remarkIn(function);
    Location loc = loop.getLoc();
    const bool isAsked = asksToSpecialize(loop);
    auto reportRefusal = [&](StringRef why) {
      if (isAsked && refused.insert(loc).second) // one loop may have become several
        reportNotHonoured(function, loc, "warp_specialize", why);
    };
    if (asked < 2) {
      reportRefusal("it has one stage");
      return success();
    }
    if (loop.getUnsignedCmp() && whyNotSigned(loop).empty() && !findPrefetchCandidates(loop).loads.empty())
      loop = countWithSign(loop);
    PrefetchPlan plan = planPrefetches(loop, {asked, separateGroups}, target, runs);
    if (!plan.obstacle.empty()) {
      remark::missed(loc, options) << remark::add("loads of {0} stages are not kept in flight", asked)
                                   << remark::reason("{0}", plan.obstacle);
      reportRefusal(plan.obstacle);
      return success();
    }
    reportSlowCopies(options, plan);
    Specialization how = planSpecialization(loop, plan, specialized, isAsked);
    if (how.obstacle.empty() && !specialized.producer && loopsRound(loop)->empty())
      persist(loop, plan, how);
    if (how.obstacle.empty()) {
      specializeLoop(loop, plan, how, specialized);
      reportSpecialized(loc, options, plan, asked);
      delayProductOf(options, how);
      return success();
    }
    if (plan.has(Waiting::Bulk) && !isAsked)
      remark::missed(loc, options) << remark::add("no warps of their own load for the others")
                                   << remark::reason("{0}", how.obstacle);
    reportRefusal(how.obstacle);
    if (std::string wrong = pipelineLoop(loop, plan); !wrong.empty())
      return function.emitError("expected a loop that can be pipelined: ") << wrong;
    report(loc, options, plan, asked);
    return success();
  }

  /// Lets blocks run several programs, where that can be; says so, or why not.
  static void persist(scf::ForOp loop, PrefetchPlan &plan, const Specialization &how) {
    auto function = loop->getParentOfType<func::FuncOp>();
    remark::RemarkOpts options =
        remark::RemarkOpts::name("persist").category("pipeline-loops").function(function.getName());
    if (std::string why = whyNotPersistent(loop, plan, how); !why.empty()) {
      remark::missed(loop.getLoc(), options)
          << remark::add("a block runs one program") << remark::reason("{0}", why);
      return;
    }
    plan.sharedBytes = sharedBytesIfPersistent(loop, plan) - OtherSharedBytes;
    persistPrograms(function, how.blocks);
    remark::passed(loop.getLoc(), options)
        << remark::add("blocks run programs one after the other, {0} on a multiprocessor", how.blocks)
        << remark::metric("Blocks", how.blocks);
  }

  /// Of the loop that was specialised last, where it has a product that can come late and registers for that.
  /// Not where it goes on where the one before ended: what is left there, keys under a mask, are one or two
  /// iterations, with nothing to be computed under (on an H200 causal attention is 1 to 25% quicker for it).
  void delayProductOf(const remark::RemarkOpts &options, const Specialization &how) {
    auto loop = dyn_cast<scf::ForOp>(specialized.last);
    if (!loop)
      return;
    const bool isRest = loop.getLowerBound() == end;
    end = loop.getUpperBound();
    std::optional<LateProduct> late = isRest ? std::nullopt : findLateProduct(loop);
    if (!late)
      return;
    Location loc = late->late.getLoc();
    if (!how.mayBeLate) {
      remark::missed(loc, options) << remark::add("a product is waited for in its own iteration")
                                   << remark::reason(
                                          "under the arithmetic of the next one there are too few registers");
      return;
    }
    auto place = [&](Value value) { return cast<OpResult>(value).getResultNumber(); };
    const unsigned slot = place(specialized.read.slot), parity = place(specialized.read.parity);
    IRRewriter rewriter(loop);
    scf::IfOp branch = delayProduct(rewriter, loop, *late);
    specialized.last = branch;
    specialized.read = {branch.getResult(slot), branch.getResult(parity)};
    remark::passed(loc, options) << remark::add(
        "a product is in flight under the arithmetic of the next iteration");
  }

  /// Says of each load, before it goes, why the bulk copy engine does not bring it, where it might.
  static void reportSlowCopies(const remark::RemarkOpts &options, const PrefetchPlan &plan) {
    for (const PlannedLoad &planned : plan.loads)
      if (!planned.notBulk.empty())
        remark::missed(planned.ahead.load->getLoc(), options)
            << remark::add("a load is copied by threads, not by the bulk copy engine")
            << remark::reason("{0}", planned.notBulk);
  }

  static void reportSpecialized(Location loc, const remark::RemarkOpts &options, const PrefetchPlan &plan,
                                uint32_t asked) {
    remark::passed(loc, options) << remark::add(
                                        "a warp of its own loads {0} iterations ahead, into {1} bytes of "
                                        "shared memory",
                                        plan.stages, plan.sharedBytes)
                                 << remark::metric("Loads", plan.loads.size())
                                 << remark::metric("SharedBytes", plan.sharedBytes);
    reportRest(loc, options, plan, asked);
  }

  static void report(Location loc, const remark::RemarkOpts &options, const PrefetchPlan &plan,
                     uint32_t asked) {
    if (plan.hasCopies() || plan.has(Waiting::Stored))
      remark::passed(loc, options) << remark::add(
                                          "loads of {0} iterations in flight, in {1} bytes of shared memory",
                                          plan.stages - 1, plan.sharedBytes)
                                   << remark::metric("Loads", plan.loads.size())
                                   << remark::metric("SharedBytes", plan.sharedBytes)
                                   << remark::metric("Registers", plan.registers);
    else
      remark::passed(loc, options) << remark::add(
                                          "loads of {0} iterations in flight, in {1} registers a thread",
                                          plan.stages - 1, plan.registers)
                                   << remark::metric("Loads", plan.loads.size())
                                   << remark::metric("Registers", plan.registers);
    if (plan.has(Waiting::Bulk))
      remark::passed(loc, options) << remark::add("loads by the bulk copy engine")
                                   << remark::metric("Loads", llvm::count_if(plan.loads, [](const PlannedLoad &load) {
                                                       return load.waiting == Waiting::Bulk;
                                                     }));
    reportRest(loc, options, plan, asked);
    for (const PlannedLoad &planned : plan.loads)
      if (planned.waiting == Waiting::Stored)
        remark::missed(loc, options) << remark::add("a load goes to shared memory through registers")
                                     << remark::reason("a copy takes 4 neighbouring bytes or more under one "
                                                       "mask, and zeros where it does not hold");
  }

  static void reportRest(Location loc, const remark::RemarkOpts &options, const PrefetchPlan &plan,
                         uint32_t asked) {
    if (!plan.flights.empty())
      remark::passed(loc, options) << remark::add("products of one iteration in flight while the next starts")
                                   << remark::metric("Products", plan.flights.size());
    if (!plan.limit.empty())
      remark::missed(loc, options) << remark::add("{0} stages instead of {1}", plan.stages, asked)
                                   << remark::reason("{0}", plan.limit);
    if (!plan.remainder.empty())
      remark::missed(loc, options) << remark::add("another load is not kept in flight")
                                   << remark::reason("{0}", plan.remainder);
  }

  const Target *target = nullptr;
  CopyRuns runs;
  SpecializedLoops specialized; ///< of the function at hand
  Value end;                    ///< of the last of them, where it counts to
  DenseSet<Location>
      refused; ///< loops of the source of which it was said that they have no warps of their own
};

} // namespace

} // namespace tegula
