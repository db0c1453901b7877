// The pass `overlap-products`: Passes.td says what it is for.
#include "compiler/analysis/FindOps.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/plan/OverlapPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_OVERLAPPRODUCTSPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

/// The wait of a product before it reads its slot, and its arrival when it has read it.
struct SlotUse {
  tgpu::BarrierWaitOp await;
  tgpu::BarrierArriveOp arrive;
  Value state; ///< the pipeline state that names its slot, which the loop carries
};

/// The op of `Op` in the body of `loop` that is about `barriers`; null where there are none or several.
template <typename Op> Op onlyUse(scf::ForOp loop, Value barriers) {
  Op found;
  for (auto op : loop.getBody()->getOps<Op>())
    if (op.getBarriers() == barriers) {
      if (found)
        return {};
      found = op;
    }
  return found;
}

/// Returns how the overlapped one of `products`, in `loop`, uses the slots that a producer copies into: a
/// copy signals one barrier after a wait for the other. Nothing where there is no such copy, or not for it
/// alone.
std::optional<SlotUse> slotUseOf(const OverlappedProducts &products, scf::ForOp loop) {
  tgpu::MmaOp late = products.late;
  auto copies = llvm::make_filter_range(late.getB().getUsers(), llvm::IsaPred<tgpu::TmaCopyOp>);
  if (copies.empty())
    return std::nullopt;
  auto copy = cast<tgpu::TmaCopyOp>(*copies.begin());
  Operation *before = copy->getPrevNode();
  while (before && !isa<tgpu::BarrierWaitOp>(before))
    before = before->getPrevNode();
  if (!before)
    return std::nullopt;
  SlotUse use{onlyUse<tgpu::BarrierWaitOp>(loop, copy.getBarriers()),
              onlyUse<tgpu::BarrierArriveOp>(loop, cast<tgpu::BarrierWaitOp>(before).getBarriers()), Value()};
  if (!use.await || !use.arrive || use.arrive.getCondition())
    return std::nullopt;
  auto slotOp = late.getSlotB().getDefiningOp<tgpu::PipelineSlotOp>();
  auto phaseOp = use.await.getParity().getDefiningOp<tgpu::PipelinePhaseOp>();
  if (!slotOp || !phaseOp || slotOp.getState() != phaseOp.getState())
    return std::nullopt;
  use.state = slotOp.getState();
  auto argument = dyn_cast<BlockArgument>(use.state);
  tgpu::MmaWaitOp earlyWait = products.earlyWait, lateWait = products.lateWait;
  const Value slot = late.getSlotB();
  const bool isOfLate = slot == use.await.getPhaseSlot() && slot == use.arrive.getPhaseSlot() && argument &&
                        argument.getOwner() == loop.getBody() && earlyWait->isBeforeInBlock(use.await) &&
                        use.await->isBeforeInBlock(late) && lateWait->isBeforeInBlock(use.arrive);
  return isOfLate ? std::optional(use) : std::nullopt;
}

/// Rewrites one loop:
///
///     if there is any iteration
///       early 0, wait, arithmetic 0
///       for j from 1 on
///         early j, late j - 1, wait for early j, arithmetic j, wait for late j - 1
///       late of the last, wait
///
/// Scaling the sums after the early product's start, not before it, gains nothing, and making the late one's
/// operand there spills (attention of 128 queries and keys on 8 warps, H200).
class Delayer {
public:
  Delayer(RewriterBase &rewriter, scf::ForOp loop, const OverlappedProducts &product, const SlotUse &use)
      : rewriter(rewriter), loop(loop), product(product), use(use), loc(loop.getLoc()),
        begin(this->product.late.getSums().getDefiningOp()) {}

  void run() {
    rewriter.setInsertionPoint(loop);
    Value isAny = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, loop.getLowerBound(),
                                        loop.getUpperBound());
    auto branch = scf::IfOp::create(rewriter, loc, loop.getResultTypes(), isAny, /*withElseRegion=*/true);
    rewriter.setInsertionPointToEnd(branch.thenBlock());
    carried.assign(loop.getInitArgs().begin(), loop.getInitArgs().end());
    addFirst();
    addLoop();
    carried[product.position] = addLate(carried[product.position]);
    scf::YieldOp::create(rewriter, loc, carried);
    rewriter.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc, loop.getInitArgs());
    rewriter.replaceOp(loop, branch.getResults());
  }

private:
  bool isLate(Operation *op) const {
    return op == use.await || op == product.late || op == product.lateWait || op == use.arrive ||
           op == begin || product.behind.contains(op);
  }

  void map(IRMapping &values, Value counter) {
    values.map(loop.getInductionVar(), counter);
    for (auto [argument, value] : llvm::zip_equal(loop.getRegionIterArgs(), carried))
      values.map(argument, value);
  }

  /// Clones the ops of the body from `from` to before `to`, except the late ones.
  void cloneEarly(IRMapping &values, Operation *from, Operation *to) {
    for (Operation *op = from; op != to; op = op->getNextNode())
      if (!isLate(op))
        rewriter.clone(*op, values);
  }

  void cloneBehind(IRMapping &values) {
    for (Operation &op : *loop.getBody())
      if (product.behind.contains(&op))
        rewriter.clone(op, values);
  }

  /// Keeps the results of an iteration, the sums that the overlapped product adds to, and what that product
  /// needs.
  void keep(IRMapping &values) {
    for (auto [index, value] : llvm::enumerate(loop.getYieldedValues()))
      if (index != product.position)
        carried[index] = values.lookupOrDefault(value);
    carried[product.position] = values.lookupOrDefault(begin->getOperand(0));
    operand = values.lookup(product.late.getA());
    state = values.lookup(use.state);
  }

  void addFirst() {
    IRMapping values;
    map(values, loop.getLowerBound());
    cloneEarly(values, &loop.getBody()->front(), loop.getBody()->getTerminator());
    cloneBehind(values);
    keep(values);
  }

  void addLoop() {
    Value second = arith::AddIOp::create(rewriter, loc, loop.getLowerBound(), loop.getStep());
    SmallVector<Value> inits(carried);
    inits.append({operand, state});
    auto rest = scf::ForOp::create(rewriter, loc, second, loop.getUpperBound(), loop.getStep(), inits);
    rest->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(rest.getBody());
    auto take = [&](ValueRange all) {
      ValueRange before = all.drop_back(2);
      carried.assign(before.begin(), before.end());
      operand = all[all.size() - 2], state = all[all.size() - 1];
    };
    take(rest.getRegionIterArgs());
    IRMapping values;
    map(values, rest.getInductionVar());
    Operation *behindEarly = product.early->getNextNode();
    cloneEarly(values, &loop.getBody()->front(), behindEarly);
    Value inFlight = startLate(carried[product.position]);
    for (Operation *op = behindEarly; op != loop.getBody()->getTerminator(); op = op->getNextNode()) {
      if (isLate(op))
        continue;
      Operation *copy = rewriter.clone(*op, values);
      if (op == product.earlyWait)
        cast<tgpu::MmaWaitOp>(copy).setPending(1); // the late one
    }
    values.map(loop.getRegionIterArg(product.position), awaitLate(inFlight));
    cloneBehind(values);
    keep(values);
    SmallVector<Value> left(carried);
    left.append({operand, state});
    scf::YieldOp::create(rewriter, loc, left);
    take(rest.getResults());
  }

  /// Starts the product that adds to `sums`, of the operand and slot at hand.
  Value startLate(Value sums) {
    tgpu::MmaOp late = product.late;
    tgpu::BarrierWaitOp await = use.await;
    slot = tgpu::PipelineSlotOp::create(rewriter, await.getLoc(), state);
    Value phase = tgpu::PipelinePhaseOp::create(rewriter, await.getLoc(), state);
    tgpu::BarrierWaitOp::create(rewriter, await.getLoc(), await.getBarriers(), slot, phase);
    Value inFlight = tgpu::MmaBeginOp::create(rewriter, begin->getLoc(), late.getResult().getType(), sums);
    return tgpu::MmaOp::create(rewriter, late.getLoc(), late.getResult().getType(), operand,
                               /*slotA=*/Value(),
                               /*transposedA=*/false, late.getB(), slot, late.getTransposedB(), inFlight,
                               late.getUnit(), late.getPartAttr(), late.getColumnsAttr());
  }

  Value awaitLate(Value inFlight) {
    tgpu::MmaWaitOp wait = product.lateWait;
    tgpu::BarrierArriveOp arrive = use.arrive;
    Value sums = tgpu::MmaWaitOp::create(rewriter, wait.getLoc(), wait.getResultTypes(), 0u,
                                         ValueRange(inFlight), ValueRange(operand))
                     .getResult(0);
    tgpu::BarrierArriveOp::create(rewriter, arrive.getLoc(), arrive.getBarriers(), slot,
                                  /*condition=*/Value());
    return sums;
  }

  Value addLate(Value sums) { return awaitLate(startLate(sums)); }

  RewriterBase &rewriter;
  scf::ForOp loop;
  OverlappedProducts product;
  SlotUse use;
  Location loc;
  Operation *begin;
  SmallVector<Value>
      carried; ///< where the code is: what the loop carries, late sums as they are to be added to
  Value operand, state;
  Value slot; ///< of `state`, where the product is started
};

struct OverlapProducts : impl::OverlapProductsPassBase<OverlapProducts> {
  void runOnOperation() override {
    auto isPlanned = [](tgpu::MmaOp product) {
      auto overlap = product->getAttrOfType<tgpu::OverlapAttr>(tgpu::OverlapAttr::AttrName);
      return overlap && overlap.getKind() == tgpu::OverlapKind::NextIteration;
    };
    for (tgpu::MmaOp product : opsOf<tgpu::MmaOp>(getOperation(), isPlanned))
      if (failed(overlap(product)))
        return signalPassFailure();
  }

private:
  static LogicalResult overlap(tgpu::MmaOp product) {
    product->removeAttr(tgpu::OverlapAttr::AttrName);
    auto loop = dyn_cast<scf::ForOp>(product->getParentOp());
    auto goes = [](Operation *op) { return isa<tgpu::BarrierWaitOp, tgpu::BarrierArriveOp>(op); };
    std::optional<OverlappedProducts> found = loop ? findOverlappedProducts(loop, goes) : std::nullopt;
    if (!found || found->late != product)
      return product.emitOpError(
          "expected the second of a loop's two products, of what threads compute of the "
          "first, to start in the next iteration");
    std::optional<SlotUse> use = slotUseOf(*found, loop);
    if (!use)
      return product.emitOpError("expected slots of its own that a producer fills");
    IRRewriter rewriter(loop);
    Delayer(rewriter, loop, *found, *use).run();
    return success();
  }
};

} // namespace

} // namespace tegula
