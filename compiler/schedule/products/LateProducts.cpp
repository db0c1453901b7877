#include "compiler/schedule/products/LateProducts.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {

namespace {

/// The wait behind which the sums of `product` are a tensor, in its own block, with no other product pending.
tgpu::MmaWaitOp waitOf(tgpu::MmaOp product) {
  auto wait = dyn_cast<tgpu::MmaWaitOp>(*product->getUsers().begin());
  const bool isPlain = wait && wait->getBlock() == product->getBlock() && wait.getPending() == 0 &&
                       wait.getSums().size() == 1 && wait.getHeld().empty() &&
                       isa<RankedTensorType>(wait.getResult(0).getType());
  return isPlain ? wait : tgpu::MmaWaitOp();
}

bool isArithmetic(Operation *op) {
  return isa<tgpu::MmaBeginOp>(op) ||
         (!op->hasTrait<OpTrait::IsTerminator>() && op->getNumRegions() == 0 && isPure(op));
}

class Finder {
public:
  explicit Finder(scf::ForOp loop) : loop(loop) {}

  std::optional<LateProduct> find() {
    const bool isLate = findProducts() && findSlots() && findSums() && findBehind() && maySwap();
    return isLate ? std::optional(found) : std::nullopt;
  }

private:
  bool findProducts() {
    SmallVector<tgpu::MmaOp> products;
    loop.getBody()->walk([&](tgpu::MmaOp product) { products.push_back(product); });
    if (products.size() != 2)
      return false;
    for (tgpu::MmaOp product : products)
      if (product->getBlock() != loop.getBody() || !waitOf(product))
        return false;
    found.early = products[0], found.late = products[1];
    found.earlyWait = waitOf(found.early), found.lateWait = waitOf(found.late);
    return found.earlyWait->isBeforeInBlock(found.late) && !found.late.getBufferA();
  }

  /// One await and one arrival are the late product's alone.
  bool findSlots() {
    SmallVector<tgpu::BulkAwaitOp> awaits(loop.getBody()->getOps<tgpu::BulkAwaitOp>());
    SmallVector<tgpu::BarrierArriveOp> arrivals(loop.getBody()->getOps<tgpu::BarrierArriveOp>());
    if (awaits.size() != 2 || arrivals.size() != 2)
      return false;
    found.await = awaits[1], found.arrive = arrivals[1];
    auto isOfTurn = [&](Value value) {
      auto argument = dyn_cast<BlockArgument>(value);
      return argument && argument.getOwner() == loop.getBody();
    };
    return awaits[0]->isBeforeInBlock(found.early) && found.earlyWait->isBeforeInBlock(found.await) &&
           found.await->isBeforeInBlock(found.late) && arrivals[0]->isBeforeInBlock(found.await) &&
           found.earlyWait->isBeforeInBlock(arrivals[0]) && found.lateWait->isBeforeInBlock(found.arrive) &&
           !found.arrive.getCondition() && found.arrive.getPhaseSlot() == found.await.getPhaseSlot() &&
           found.late.getSlotB() == found.await.getPhaseSlot() && isOfTurn(found.await.getPhaseSlot()) &&
           isOfTurn(found.await.getParity());
  }

  /// The late sums are carried, by way of `mma_begin` and back.
  bool findSums() {
    Value sums = found.lateWait.getResult(0);
    auto begin = found.late.getSums() ? found.late.getSums().getDefiningOp<tgpu::MmaBeginOp>() : nullptr;
    if (!begin || begin->getBlock() != loop.getBody() || !sums.hasOneUse() ||
        *sums.getUsers().begin() != loop.getBody()->getTerminator())
      return false;
    found.position = sums.getUses().begin()->getOperandNumber();
    return true;
  }

  /// What follows from the carried sums is made for the late product alone, and of arithmetic alone.
  bool findBehind() {
    Operation *begin = found.late.getSums().getDefiningOp();
    SetVector<Operation *> reached;
    auto addUsers = [&](Value value) {
      for (Operation *user : value.getUsers())
        reached.insert(user);
    };
    addUsers(loop.getRegionIterArg(found.position));
    for (unsigned i = 0; i < reached.size(); ++i) {
      Operation *op = reached[i];
      if (op == begin)
        continue;
      if (op->getBlock() != loop.getBody() || !isArithmetic(op))
        return false;
      for (Value result : op->getResults())
        addUsers(result);
    }
    for (Operation *op : reached)
      if (op != begin)
        found.behind.insert(op);
    // The last step to the operand, which packs it: the unit reads the registers of the one before.
    Operation *operand = found.late.getA().getDefiningOp();
    if (!operand || operand->getBlock() != loop.getBody() || !isArithmetic(operand) ||
        !found.late.getA().hasOneUse())
      return false;
    found.behind.insert(operand);
    return true;
  }

  /// Whether nothing else in the loop depends on when the late product is computed.
  bool maySwap() {
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (isa<tgpu::MmaBeginOp, tgpu::MmaOp, tgpu::MmaWaitOp, tgpu::BulkAwaitOp, tgpu::BarrierArriveOp>(op))
        continue;
      if (isMemoryEffectFree(&op) || isa<tile::LoadOp>(op))
        continue;
      return false;
    }
    return true;
  }

  scf::ForOp loop;
  LateProduct found;
};

class Delayer {
public:
  Delayer(RewriterBase &rewriter, scf::ForOp loop, const LateProduct &product)
      : rewriter(rewriter), loop(loop), product(product), loc(loop.getLoc()),
        begin(this->product.late.getSums().getDefiningOp()) {}

  scf::IfOp run() {
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
    return branch;
  }

private:
  bool isLate(Operation *op) const {
    return op == product.await || op == product.late || op == product.lateWait || op == product.arrive ||
           op == begin || product.behind.contains(op);
  }

  void map(IRMapping &values, Value counter) {
    values.map(loop.getInductionVar(), counter);
    for (auto [argument, value] : llvm::zip_equal(loop.getRegionIterArgs(), carried))
      values.map(argument, value);
  }

  /// What stands in the body from `from` to in front of `to`, but for what is late.
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

  /// What an iteration leaves, the late product's part as it is to be added to, and what that product needs.
  void keep(IRMapping &values) {
    for (auto [index, value] : llvm::enumerate(loop.getYieldedValues()))
      if (index != product.position)
        carried[index] = values.lookupOrDefault(value);
    carried[product.position] = values.lookupOrDefault(begin->getOperand(0));
    operand = values.lookup(product.late.getA());
    slot = values.lookup(product.await.getPhaseSlot());
    parity = values.lookup(product.await.getParity());
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
    inits.append({operand, slot, parity});
    auto rest =
        scf::ForOp::create(rewriter, loc, second, loop.getUpperBound(), loop.getStep(), inits);
    rest->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(rest.getBody());
    auto take = [&](ValueRange all) {
      ValueRange before = all.drop_back(3);
      carried.assign(before.begin(), before.end());
      operand = all[all.size() - 3], slot = all[all.size() - 2], parity = all[all.size() - 1];
    };
    take(rest.getRegionIterArgs());
    IRMapping values;
    map(values, rest.getInductionVar());
    Operation *behindEarly = product.early->getNextNode();
    cloneEarly(values, &loop.getBody()->front(), behindEarly);
    Value flying = startLate(carried[product.position]);
    for (Operation *op = behindEarly; op != loop.getBody()->getTerminator(); op = op->getNextNode()) {
      if (isLate(op))
        continue;
      Operation *copy = rewriter.clone(*op, values);
      if (op == product.earlyWait)
        cast<tgpu::MmaWaitOp>(copy).setPending(1); // the late one
    }
    values.map(loop.getRegionIterArg(product.position), awaitLate(flying));
    cloneBehind(values);
    keep(values);
    SmallVector<Value> left(carried);
    left.append({operand, slot, parity});
    scf::YieldOp::create(rewriter, loc, left);
    take(rest.getResults());
  }

  /// Starts the product that adds to `sums`, of the operand and slot at hand.
  Value startLate(Value sums) {
    tgpu::MmaOp late = product.late;
    tgpu::BulkAwaitOp await = product.await;
    tgpu::BulkAwaitOp::create(rewriter, await.getLoc(), await.getBarriers(), slot, parity);
    Value flying = tgpu::MmaBeginOp::create(rewriter, begin->getLoc(), late.getResult().getType(), sums);
    return tgpu::MmaOp::create(rewriter, late.getLoc(), late.getResult().getType(), operand, /*slotA=*/Value(),
                               /*transposedA=*/false, late.getB(), slot, late.getTransposedB(), flying,
                               late.getUnit(), late.getPartAttr());
  }

  Value awaitLate(Value flying) {
    tgpu::MmaWaitOp wait = product.lateWait;
    tgpu::BarrierArriveOp arrive = product.arrive;
    Value sums = tgpu::MmaWaitOp::create(rewriter, wait.getLoc(), wait.getResultTypes(), 0u,
                                         ValueRange(flying), ValueRange(operand))
                     .getResult(0);
    tgpu::BarrierArriveOp::create(rewriter, arrive.getLoc(), arrive.getBarriers(), slot, /*condition=*/Value());
    return sums;
  }

  Value addLate(Value sums) { return awaitLate(startLate(sums)); }

  RewriterBase &rewriter;
  scf::ForOp loop;
  LateProduct product;
  Location loc;
  Operation *begin;
  SmallVector<Value> carried; ///< where the code is: what the loop carries, late sums as they are to be added to
  Value operand, slot, parity;
};

} // namespace

std::optional<LateProduct> findLateProduct(scf::ForOp loop) { return Finder(loop).find(); }

scf::IfOp delayProduct(RewriterBase &rewriter, scf::ForOp loop, const LateProduct &product) {
  return Delayer(rewriter, loop, product).run();
}

} // namespace tegula
