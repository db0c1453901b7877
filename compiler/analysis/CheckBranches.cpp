// The pass `check-branches`: see Passes.td.
#include "compiler/analysis/AuthorError.h"
#include "compiler/analysis/Passes.h"
#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/analysis/effects/ThreadVarying.h"
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/analysis/resources/ScratchBytes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_CHECKBRANCHESPASS
#include "compiler/analysis/Passes.h.inc"

namespace {

/// Returns what threads do together in `op`, as an author would say it; nothing for what each does by itself.
StringRef togetherIn(Operation *op, Scratches &scratches) {
  if (effectsOf(op).does(tile::Interaction::SyncsThreads))
    return "a barrier";
  const Executor executor = scratches.executors.of(op);
  const Scratch scratch = scratches.of(op);
  const bool sharesMemory = scratch.bytes > 0 && !scratch.isBuffer;
  if (tile::globalAccessOf(op).isAtomic())
    return sharesMemory || broadcastPlanOf(op, executor).kind != BroadcastPlan::None
               ? "an atomic operation with a result"
               : "";
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([&](tile::ReduceOp reduce) {
        return sharesMemory || planOf(reduce, executor).shuffles > 0 ? "a reduction" : "";
      })
      .Case([&](tile::ScanOp scan) {
        return sharesMemory || planOf(scan, executor).shuffles > 0 ? "a scan" : "";
      })
      .Case<tile::HistogramOp>([](auto) { return "a histogram"; })
      .Case<tile::DotOp, tgpu::MmaOp>([](auto) { return "a product"; })
      .Case([&](tile::ConvertLayoutOp convert) {
        return routeOf(convert, executor).kind != ConversionPlan::Registers ? "an exchange of elements" : "";
      })
      .Case([&](tile::ButterflyOp butterfly) {
        return planOf(butterfly, executor).kind != ConversionPlan::Registers ? "an exchange of elements" : "";
      })
      .Default(StringRef(sharesMemory ? "an exchange of elements" : ""));
}

struct CheckBranches : impl::CheckBranchesPassBase<CheckBranches> {
  void runOnOperation() override {
    for (func::FuncOp kernel : kernelsOf(getOperation()))
      if (failed(check(kernel)))
        return signalPassFailure();
  }

private:
  static LogicalResult check(func::FuncOp kernel) {
    const ThreadVarying varying(kernel);
    if (varying.isEmpty())
      return success();
    Scratches scratches(kernel);
    LogicalResult result = success();
    kernel.walk<WalkOrder::PreOrder>([&](Operation *branch) {
      Operation *cause = varying.causeOfBranch(branch);
      if (!cause)
        return WalkResult::advance();
      if (auto [first, together] = firstTogether(branch, scratches); first)
        result = report(first, together, branch, cause);
      return WalkResult::skip();
    });
    return result;
  }

  /// One error a branch is enough. Barriers that passes have put before an op say less than the op.
  static std::pair<Operation *, StringRef> firstTogether(Operation *branch, Scratches &scratches) {
    std::pair<Operation *, StringRef> first;
    branch->walk([&](Operation *op) {
      const StringRef together = togetherIn(op, scratches);
      if (together.empty() || (first.first && isa<tile::BarrierOp>(op)))
        return WalkResult::advance();
      first = {op, together};
      return isa<tile::BarrierOp>(op) ? WalkResult::advance() : WalkResult::interrupt();
    });
    return first;
  }

  static LogicalResult report(Operation *op, StringRef together, Operation *branch, Operation *cause) {
    InFlightDiagnostic error =
        emitAuthorError(op->getLoc(), "move it out of the branch, or branch on what is the same for all "
                                      "threads, such as a number that `tl.load` gave");
    error << together << " needs all threads of the program, and some of them may not get here";
    error.attachNote(branch->getLoc()) << "threads may take this branch differently";
    error.attachNote(cause->getLoc()) << "because each has a result of its own here";
    return error;
  }
};

} // namespace
} // namespace tegula
