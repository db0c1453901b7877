#include "compiler/analysis/access/ForwardedValues.h"

using namespace mlir;

namespace tegula {

static bool addOfResult(OpResult result, SmallVectorImpl<Value> &values) {
  const unsigned number = result.getResultNumber();
  if (auto branch = dyn_cast<scf::IfOp>(result.getOwner()))
    values.append({branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)});
  else if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    values.append({loop.getInitArgs()[number], loop.getYieldedValues()[number]});
  else if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner()))
    values.push_back(loop.getConditionOp().getArgs()[number]);
  else
    return false;
  return true;
}

static bool addOfArgument(BlockArgument argument, SmallVectorImpl<Value> &values) {
  Operation *around = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(around)) {
    if (argument == loop.getInductionVar())
      return false;
    values.append({loop.getTiedLoopInit(argument)->get(), loop.getTiedLoopYieldedValue(argument)->get()});
    return true;
  }
  auto loop = dyn_cast<scf::WhileOp>(around);
  if (!loop)
    return false;
  const unsigned number = argument.getArgNumber();
  if (argument.getOwner() == loop.getBeforeBody())
    values.append({loop.getInits()[number], loop.getYieldOp().getOperand(number)});
  else
    values.push_back(loop.getConditionOp().getArgs()[number]);
  return true;
}

bool addForwarded(Value value, SmallVectorImpl<Value> &values) {
  auto result = dyn_cast<OpResult>(value);
  return result ? addOfResult(result, values) : addOfArgument(cast<BlockArgument>(value), values);
}

SmallVector<Value, 2> carriedTo(OpOperand &use) {
  Operation *user = use.getOwner();
  unsigned index = use.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(user)) {
    if (index < loop.getNumControlOperands())
      return {};
    return {loop.getTiedLoopRegionIterArg(&use), loop.getTiedLoopResult(&use)};
  }
  if (auto loop = dyn_cast<scf::WhileOp>(user))
    return {loop.getBeforeArguments()[index]};
  if (auto condition = dyn_cast<scf::ConditionOp>(user)) {
    auto loop = cast<scf::WhileOp>(user->getParentOp());
    if (index == 0)
      return {};
    return {loop.getAfterArguments()[index - 1], loop.getResult(index - 1)};
  }
  if (!isa<scf::YieldOp>(user))
    return {};
  if (auto loop = dyn_cast<scf::ForOp>(user->getParentOp()))
    return {loop.getRegionIterArg(index), loop.getResult(index)};
  if (auto loop = dyn_cast<scf::WhileOp>(user->getParentOp()))
    return {loop.getBeforeArguments()[index]};
  return {user->getParentOp()->getResult(index)};
}

} // namespace tegula
