#include "compiler/analysis/access/PointerRoot.h"
#include "compiler/analysis/integers/KernelParam.h"

#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {
namespace {

using Values = llvm::SmallSetVector<Value, 8>;

/// Adds what the result of an op is computed from, as far as it is a pointer or a view; false where that is
/// not known.
bool addSources(OpResult result, Values &values) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (isa<tile::AddPtrOp, tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp,
          tile::TransOp, tile::HintOp, tile::ConvertLayoutOp, tile::ViewOp, tile::ViewBaseOp>(op))
    return values.insert(op->getOperand(0)), true;
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    values.insert(select.getTrueValue());
    values.insert(select.getFalseValue());
    return true;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    values.insert(branch.thenYield().getOperand(number));
    values.insert(branch.elseYield().getOperand(number));
    return true;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    values.insert(loop.getInitArgs()[number]);
    values.insert(loop.getYieldedValues()[number]);
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return values.insert(loop.getConditionOp().getArgs()[number]), true;
  return false;
}

/// The same for what a loop hands to its body; false where the argument is not one of a loop.
bool addSources(BlockArgument argument, Values &values) {
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (argument == loop.getInductionVar())
      return false;
    values.insert(loop.getTiedLoopInit(argument)->get());
    values.insert(loop.getTiedLoopYieldedValue(argument)->get());
    return true;
  }
  auto loop = dyn_cast<scf::WhileOp>(parent);
  if (!loop)
    return false;
  if (argument.getOwner() == loop.getBeforeBody()) {
    values.insert(loop.getInits()[number]);
    values.insert(loop.getYieldOp().getOperand(number));
  } else {
    values.insert(loop.getConditionOp().getArgs()[number]);
  }
  return true;
}

} // namespace

/// Returns whether branches yield all of `values` except `choice` as others of them, and nothing else uses
/// them.
static bool isReachedThrough(Value choice, const Values &values) {
  auto isHandedOn = [&](OpOperand &use) {
    if (auto select = dyn_cast<arith::SelectOp>(use.getOwner()))
      return values.contains(select.getResult());
    auto branch = dyn_cast<scf::IfOp>(use.getOwner()->getParentOp());
    return branch && isa<scf::YieldOp>(use.getOwner()) &&
           values.contains(branch.getResult(use.getOperandNumber()));
  };
  return llvm::all_of(
      values, [&](Value value) { return value == choice || llvm::all_of(value.getUses(), isHandedOn); });
}

Value baseOfPointer(Value pointer) {
  Values reached;
  reached.insert(pointer);
  Value base, choice;
  for (unsigned i = 0; i < reached.size(); ++i) {
    Value value = reached[i];
    auto result = dyn_cast<OpResult>(value);
    // All values found so far come from here.
    if (i + 1 == reached.size() && !base && !choice && result && isa<scf::IfOp>(result.getOwner()))
      choice = value;
    if (result ? addSources(result, reached) : addSources(cast<BlockArgument>(value), reached))
      continue;
    if (!isParameter(value))
      return {};
    if (base && base != value && !choice)
      return {};
    base = base && base != value ? choice : value;
  }
  if (base != choice || !choice)
    return base;
  Values chosen;
  chosen.insert(choice);
  for (unsigned i = 0; i < chosen.size(); ++i)
    if (auto result = dyn_cast<OpResult>(chosen[i]))
      addSources(result, chosen);
  return isReachedThrough(choice, chosen) ? choice : Value();
}

} // namespace tegula
