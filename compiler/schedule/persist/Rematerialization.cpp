#include "compiler/schedule/persist/Rematerialization.h"

#include "compiler/analysis/effects/MemoryOrder.h"
#include "compiler/analysis/resources/RegisterCount.h"
#include "dialect/tile/LayoutInference.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {

namespace {

/// The most ops that computing a value anew may take: with more, arithmetic costs more than a full
/// multiprocessor gains.
constexpr unsigned MaxOps = 16;
/// The most of these that may go to the special function unit, a quarter as fast as the rest.
constexpr unsigned MaxSpecial = 1;
/// Ops looked at to see that a value follows from the thread's place.
constexpr unsigned MaxIndexing = 64;

bool isSpecial(Operation *op) { return isa<math::ExpOp, math::Exp2Op, math::RsqrtOp, arith::DivFOp>(op); }

/// Ops that cost a thread one or two instructions an element, or one of the special function unit.
bool isCheap(Operation *op) {
  if (!isMemoryEffectFree(op) || op->getNumResults() != 1 || op->getNumRegions() != 0)
    return false;
  if (isa<tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::ArangeOp, arith::ConstantOp>(op))
    return true;
  if (isSpecial(op) || isa<math::AbsFOp, math::FmaOp>(op))
    return true;
  return isa<arith::ArithDialect>(op->getDialect()) && tile::isElementwise(op) &&
         !isa<arith::RemFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op);
}

} // namespace

bool isIndexing(Value value) {
  llvm::SmallSetVector<Operation *, 16> ops;
  auto add = [&](Value operand) {
    if (isa<RankedTensorType>(operand.getType()))
      ops.insert(operand.getDefiningOp());
  };
  add(value);
  for (unsigned i = 0; i < ops.size(); ++i) {
    if (!ops[i] || ops.size() > MaxIndexing ||
        !(isCheap(ops[i]) || isa<tile::AddPtrOp, tile::HintOp>(ops[i])))
      return false;
    for (Value operand : ops[i]->getOperands())
      add(operand);
  }
  return true;
}

Rematerialization::Rematerialization(tile::ReduceOp reduce) : reduce(reduce) {
  for (Operation &op : *reduce->getBlock()) {
    if (&op == reduce)
      break;
    for (Value result : op.getResults())
      if (registersOf(result) && hasLaterUse(result) && !isIndexing(result))
        consider(result);
  }
  for (Value value : kept)
    after += registersOf(value);
  for (Value root : roots)
    if (!kept.contains(root))
      after += registersOf(root);
}

bool Rematerialization::hasLaterUse(Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *user) { return comesAfter(user, reduce); });
}

void Rematerialization::replaceLaterUses(Value from, Value to) {
  from.replaceUsesWithIf(to, [&](OpOperand &use) {
    return comesAfter(use.getOwner(), reduce) && use.getOwner() != to.getDefiningOp();
  });
}

bool Rematerialization::findCheapOps(Value value, Ops &ops, Values &from) const {
  unsigned special = 0;
  llvm::SmallSetVector<Value, 16> values;
  values.insert(value);
  for (unsigned i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    bool isHere = op && op->getBlock() == reduce->getBlock();
    if (!isHere || isIndexing(values[i]) || !isCheap(op)) {
      // A value from outside a loop is live anyway, and so is what follows from the thread's place.
      if (isHere && !isIndexing(values[i]))
        from.insert(values[i]);
      continue;
    }
    ops.insert(op);
    special += isSpecial(op);
    if (ops.size() > MaxOps || special > MaxSpecial)
      return false;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        values.insert(operand);
  }
  return !ops.empty();
}

void Rematerialization::consider(Value value) {
  before += registersOf(value);
  Ops ops;
  Values from;
  bool isFound = findCheapOps(value, ops, from) && !from.empty();
  uint32_t needed = 0;
  for (Value root : from)
    needed += roots.contains(root) ? 0 : registersOf(root);
  if (!isFound || needed >= registersOf(value)) {
    kept.insert(value);
    return;
  }
  anew.push_back(value);
  roots.insert(from.begin(), from.end());
  repeated.insert(ops.begin(), ops.end());
}

void Rematerialization::apply() {
  OpBuilder builder(reduce->getContext());
  builder.setInsertionPointAfter(reduce);
  IRMapping again;
  for (Value root : roots) {
    Value barrier = tile::OptBarrierOp::create(builder, root.getLoc(), root, reduce.getResults().front());
    replaceLaterUses(root, barrier);
    again.map(root, barrier);
  }
  // The ops in their order: what one takes is mapped before it.
  for (Operation &op : llvm::make_early_inc_range(*reduce->getBlock())) {
    if (&op == reduce)
      break;
    if (repeated.contains(&op))
      builder.clone(op, again);
  }
  for (Value value : anew)
    replaceLaterUses(value, again.lookup(value));
}

} // namespace tegula
