// The pass `defer-waits`: Passes.td says what it is for.
#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/effects/MemoryOrder.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/plan/OverlapPlan.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_DEFERWAITSPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

/// Returns whether products, and waits for them, may pass `op` wherever their operands are there: it changes
/// nothing that they read, and no other thread learns from it that they are over.
bool mayPass(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return false;
  if (isa<tile::LoadOp>(op))
    return !tile::globalAccessOf(op).isVolatile;
  return isMemoryEffectFree(op) || isa<tgpu::MmaBeginOp, tgpu::MmaOp, tgpu::MmaWaitOp>(op);
}

/// The products of a loop's body.
class BodyProducts {
public:
  BodyProducts(scf::ForOp loop, RewriterBase &rewriter) : body(loop.getBody()), rewriter(rewriter) {}

  /// Returns how many products start before an earlier one is waited for that was waited for before.
  unsigned run() {
    for (auto product : body->getOps<tgpu::MmaOp>()) {
      if (product.isPart() || !product->hasOneUse() || !waitOf(product))
        return 0;
      products.push_back(product);
    }
    if (products.size() < 2)
      return 0;
    startEarly();
    for (tgpu::MmaOp product : llvm::reverse(products))
      waitLate(product);
    if (deferred)
      holdArithmetic();
    return deferred;
  }

private:
  /// The ops between `first` and `op` that must run before it, in their order; nothing where it cannot stand
  /// directly after `first`.
  std::optional<SmallVector<Operation *>> neededBetween(Operation *first, Operation *op) {
    SetVector<Operation *> needed;
    BackwardSliceOptions options;
    options.omitBlockArguments = true;
    options.inclusive = true;
    options.filter = [&](Operation *one) { return one->getBlock() == body && first->isBeforeInBlock(one); };
    bool isKnown = succeeded(getBackwardSlice(op, &needed, options));
    for (Operation *each = first->getNextNode(); isKnown && each != op; each = each->getNextNode())
      // A product may read what came with this barrier.
      if (isa<tgpu::BarrierWaitOp>(each))
        isKnown = !isa<tgpu::MmaOp>(op) || succeeded(getBackwardSlice(each, &needed, options));
      else
        isKnown = mayPass(each) || (isa<tile::LoadOp>(op) && isa<tgpu::BarrierArriveOp>(each));
    if (!isKnown)
      return std::nullopt;
    SmallVector<Operation *> inOrder;
    for (Operation *each = first->getNextNode(); each != op; each = each->getNextNode())
      if (needed.contains(each)) {
        if (!isa<tgpu::BarrierWaitOp>(each) && !isPure(each))
          return std::nullopt; // of another product, or of a load
        inOrder.push_back(each);
      }
    return inOrder;
  }

  /// Moves `op`, with what it needs, directly behind `first`. False where it cannot stand there.
  bool moveBehind(Operation *first, Operation *op) {
    std::optional<SmallVector<Operation *>> needed = neededBetween(first, op);
    if (!needed)
      return false;
    needed->push_back(op);
    for (Operation *each : *needed) {
      rewriter.moveOpAfter(each, first);
      first = each;
    }
    return true;
  }

  /// Starts products that need no other one's sums directly after the first, and loads under them.
  void startEarly() {
    tgpu::MmaOp last = products.front();
    for (tgpu::MmaOp product : llvm::drop_begin(products))
      if (moveBehind(last, product))
        last = product;
    if (last == products.front())
      return; // one alone hides little: what is loaded takes registers meanwhile
    Operation *place = last;
    for (auto load : llvm::make_early_inc_range(body->getOps<tile::LoadOp>()))
      if (place->isBeforeInBlock(load) && mayPass(load) && moveBehind(place, load))
        place = load;
  }

  /// Waits for `product` where its sums are first needed, something may only happen when it is over, or a
  /// wait for a later one ends it too.
  void waitLate(tgpu::MmaOp product) {
    tgpu::MmaWaitOp wait = waitOf(product);
    auto awaitsLater = [&](Operation *op) {
      auto other = dyn_cast<tgpu::MmaWaitOp>(op);
      Operation *awaited = other ? other.getSums().front().getDefiningOp() : nullptr;
      return awaited && product->isBeforeInBlock(awaited);
    };
    // A producer may fill slots again that the product has read: it learns that after the wait.
    SmallVector<Operation *> freeing;
    Operation *place = wait->getNextNode();
    for (; !awaitsLater(place) && !usesResultOf(place, wait); place = place->getNextNode())
      if (isa<tgpu::BarrierArriveOp>(place))
        freeing.push_back(place);
      else if (isa<tgpu::BarrierWaitOp>(place) ? !freeing.empty() : !mayPass(place))
        break;
    if (!freeing.empty() && startedUntil(freeing.front(), product) == startedUntil(place, product)) {
      place = freeing.front(); // rather early
      freeing.clear();
    }
    const unsigned pending = startedUntil(place, product);
    if (pending == 0)
      return;
    rewriter.modifyOpInPlace(wait, [&] {
      wait->moveBefore(place);
      wait.setPending(pending);
      // It still reads the registers of an operand.
      if (!product.getBufferA())
        addHeld(wait, product.getA());
    });
    for (Operation *op : freeing)
      rewriter.moveOpBefore(op, place);
    ++deferred;
  }

  /// Returns how many products start after `product` and before `place`.
  static unsigned startedUntil(Operation *place, tgpu::MmaOp product) {
    unsigned started = 0;
    for (Operation *op = product->getNextNode(); op != place; op = op->getNextNode())
      started += isa<tgpu::MmaOp>(op);
    return started;
  }

  /// Has threads compute what stands before a wait before it, not after: under the products that they wait
  /// for.
  void holdArithmetic() {
    tgpu::MmaWaitOp last;
    for (auto wait : body->getOps<tgpu::MmaWaitOp>()) {
      for (Operation *op = last ? last->getNextNode() : wait; op != wait; op = op->getNextNode())
        if (op->hasTrait<OpTrait::Elementwise>() && isAfter(op, wait))
          rewriter.modifyOpInPlace(wait, [&] { addHeld(wait, op->getResult(0)); });
      last = wait;
    }
  }

  /// Returns whether a floating-point tensor that `op` computes is needed after `wait`.
  bool isAfter(Operation *op, Operation *wait) {
    auto tensor = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    return tensor && isa<FloatType>(tensor.getElementType()) &&
           llvm::any_of(op->getUsers(), [&](Operation *user) { return comesAfter(user, wait); });
  }

  static void addHeld(tgpu::MmaWaitOp wait, Value value) {
    if (!llvm::is_contained(wait.getHeld(), value))
      wait.getHeldMutable().append(value);
  }

  static bool usesResultOf(Operation *op, Operation *wait) {
    return anyOp(
        op, [&](Operation *inside) { return llvm::is_contained(inside->getOperands(), wait->getResult(0)); });
  }

  Block *body;
  RewriterBase &rewriter;
  SmallVector<tgpu::MmaOp> products; ///< in the order of the source
  unsigned deferred = 0;
};

struct DeferWaits : impl::DeferWaitsPassBase<DeferWaits> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](scf::ForOp loop) {
      const unsigned deferred = BodyProducts(loop, rewriter).run();
      if (!deferred)
        return;
      remark::passed(loop.getLoc(), remarkOptions("defer-waits", "products", loop))
          << remark::add("products start before earlier ones are over")
          << remark::metric("Products", deferred);
    });
  }
};

} // namespace

} // namespace tegula
