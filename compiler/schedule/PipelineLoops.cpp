// The pass `pipeline-loops`: Passes.td says which loops it pipelines and why.
#include "compiler/schedule/LoopLoads.h"
#include "compiler/schedule/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tegula {
#define GEN_PASS_DEF_PIPELINELOOPSPASS
#include "compiler/schedule/Passes.h.inc"
} // namespace tegula

using namespace mlir;

namespace tegula {

namespace {

/// Registers of a thread that loads in flight may take: they come on top of what the loop computes with.
constexpr uint32_t MaxRegistersInFlight = 64;

/// `op` under the condition that there is such an iteration: loads gain a mask, all else has no effect.
Operation *predicate(RewriterBase &rewriter, Operation *op, Value condition) {
  auto load = dyn_cast<tile::LoadOp>(op);
  if (!load)
    return isMemoryEffectFree(op) ? op : nullptr;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(load);
  Type type = tile::withElementType(load.getPointer().getType(), rewriter.getI1Type());
  Value mask = condition;
  if (isa<RankedTensorType>(type))
    mask = tile::SplatOp::create(rewriter, load.getLoc(), type, condition);
  if (load.getMask())
    mask = arith::AndIOp::create(rewriter, load.getLoc(), load.getMask(), mask);
  rewriter.modifyOpInPlace(load, [&] { load.getMaskMutable().assign(mask); });
  return load;
}

/// One loop whose loads run ahead.
class Pipeliner {
public:
  Pipeliner(scf::ForOp loop, uint32_t stages) : loop(loop), stages(stages), found(findLoopLoads(loop)) {}

  /// Why the loop stays as it is; empty if it can be pipelined. May lower the number of stages.
  std::string obstacle() {
    if (found.loads.empty())
      return found.obstacle;
    if (loop.getUnsignedCmp())
      return "it counts without sign";
    if (std::optional<APInt> trips = loop.getStaticTripCount(); trips && trips->ult(stages))
      return llvm::formatv("it runs {0} times only", trips->getZExtValue());
    Operation *yield = loop.getBody()->getTerminator();
    for (Value value : yield->getOperands())
      if (value.getParentBlock() != loop.getBody() || !value.getDefiningOp())
        return "a carried value is handed on as it is";
    if (found.registers > MaxRegistersInFlight)
      return llvm::formatv("the loads of an iteration take {0} registers a thread, expected at most {1}",
                           found.registers, MaxRegistersInFlight);
    if (found.registers)
      stages = std::min(stages, 1 + MaxRegistersInFlight / found.registers);
    return {};
  }

  LogicalResult run() {
    separateAddresses();
    scf::PipeliningOption options;
    options.getScheduleFn = [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &schedule) {
      for (bool ahead : {true, false})
        for (Operation &op : loop.getBody()->without_terminator())
          if (isAhead.contains(&op) == ahead)
            schedule.emplace_back(&op, ahead ? 0 : stages - 1);
    };
    options.peelEpilogue = false;
    options.supportDynamicLoops = true;
    options.predicateFn = predicate;
    IRRewriter rewriter(loop);
    return scf::pipelineForLoop(rewriter, loop, options);
  }

  uint32_t iterationsInFlight() const { return stages - 1; }
  uint32_t registersInFlight() const { return found.registers * iterationsInFlight(); }
  size_t numLoads() const { return found.loads.size(); }
  /// Why some of the loads stay behind; empty if all run ahead.
  const std::string &remainder() const { return found.obstacle; }

private:
  /// True if somebody else needs the carried value at `position`, in its own time or after the loop.
  bool isShared(unsigned position) {
    auto isAddress = [&](Operation *user) {
      auto load = dyn_cast<tile::LoadOp>(user);
      return found.addresses.contains(user) || (load && llvm::is_contained(found.loads, load));
    };
    return !loop.getResult(position).use_empty() ||
           !llvm::all_of(loop.getRegionIterArg(position).getUsers(), isAddress);
  }

  /// Carries what moves the loads' addresses a second time where others need it too: ahead of them.
  void separateCarried(IRMapping &own) {
    IRRewriter rewriter(loop);
    for (unsigned position : found.carried) {
      unsigned ahead = position;
      if (isShared(position)) {
        ahead = loop.getNumResults();
        auto yieldSame = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
          return SmallVector<Value>{loop.getYieldedValues()[position]};
        };
        FailureOr<LoopLikeOpInterface> longer = loop.replaceWithAdditionalYields(
            rewriter, loop.getInitArgs()[position], /*replaceInitOperandUsesInLoop=*/false, yieldSame);
        loop = cast<scf::ForOp>(*longer);
      }
      carriedAhead.emplace_back(position, ahead);
    }
    for (auto [position, ahead] : carriedAhead)
      own.map(loop.getRegionIterArg(position), loop.getRegionIterArg(ahead));
  }

  /// Gives the loads addresses of their own: what the rest of the loop needs is computed again in its own
  /// time and not kept until then.
  void separateAddresses() {
    IRMapping own;
    separateCarried(own);
    OpBuilder builder(loop.getContext());
    SmallVector<Operation *> originals;
    for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
      if (found.addresses.contains(&op)) {
        builder.setInsertionPoint(&op);
        isAhead.insert(builder.clone(op, own));
        originals.push_back(&op);
      } else if (auto load = dyn_cast<tile::LoadOp>(op); load && llvm::is_contained(found.loads, load)) {
        for (OpOperand &operand : op.getOpOperands())
          operand.set(own.lookupOrDefault(operand.get()));
        isAhead.insert(&op);
      }
    }
    Operation *yield = loop.getBody()->getTerminator();
    SmallVector<Value> moved;
    for (auto [position, ahead] : carriedAhead)
      moved.push_back(own.lookupOrDefault(yield->getOperand(position)));
    for (auto [positions, value] : llvm::zip_equal(carriedAhead, moved))
      yield->setOperand(positions.second, value);
    for (Operation *op : llvm::reverse(originals))
      if (op->use_empty())
        op->erase();
  }

  scf::ForOp loop;
  uint32_t stages;
  LoopLoads found;
  SmallVector<std::pair<unsigned, unsigned>> carriedAhead; ///< positions as written, and for the loads
  llvm::SmallPtrSet<Operation *, 32> isAhead;
};

class PipelineLoops : public impl::PipelineLoopsPassBase<PipelineLoops> {
public:
  using PipelineLoopsPassBase::PipelineLoopsPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      SmallVector<scf::ForOp> loops;
      function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      for (scf::ForOp loop : loops)
        if (failed(visit(function, loop)))
          return signalPassFailure();
      function.walk([](Operation *op) { op->removeAttr("tile.loop"); });
    }
  }

private:
  LogicalResult visit(func::FuncOp function, scf::ForOp loop) {
    auto hints = loop->getAttrOfType<tile::LoopAttr>("tile.loop");
    uint32_t asked = hints && hints.getStages() ? hints.getStages() : uint32_t(defaultStages);
    if (asked < 2)
      return success();
    auto options =
        remark::RemarkOpts::name("pipeline").category("pipeline-loops").function(function.getName());
    Location loc = loop.getLoc();
    Pipeliner pipeliner(loop, asked);
    if (std::string reason = pipeliner.obstacle(); !reason.empty()) {
      remark::missed(loc, options) << remark::add("loads of {0} stages are not kept in flight", asked)
                                   << remark::reason("{0}", reason);
      return success();
    }
    if (failed(pipeliner.run()))
      return function.emitError("expected a loop that can be pipelined");
    remark::passed(loc, options) << remark::add(
                                        "loads of {0} iterations in flight, in {1} registers a thread",
                                        pipeliner.iterationsInFlight(), pipeliner.registersInFlight())
                                 << remark::metric("Loads", pipeliner.numLoads())
                                 << remark::metric("Registers", pipeliner.registersInFlight());
    if (!pipeliner.remainder().empty())
      remark::missed(loc, options) << remark::add("another load is not kept in flight")
                                   << remark::reason("{0}", pipeliner.remainder());
    return success();
  }
};

} // namespace

} // namespace tegula
