#include "compiler/distribute/OperandFlows.h"

#include "compiler/analysis/access/ForwardedValues.h"

using namespace mlir;

namespace tegula {

static bool isTensorAccess(Operation *op) {
  tile::GlobalAccess access = tile::globalAccessOf(op);
  return access && isa<RankedTensorType>(access.address.getType());
}

OperandFlows::OperandFlows(func::FuncOp function) {
  function.walk([&](Operation *op) {
    bool isAccess = isTensorAccess(op);
    if (!isAccess && !isa<tile::DotOp>(op))
      return;
    flows.insert(op);
    traits[op].leaves |= !tile::globalAccessOf(op).onlyReads();
    for (Value result : op->getResults()) {
      join(result, op);
      follow(result);
    }
  });
  // Traits are found member by member; now all of a flow are known by its representative.
  llvm::DenseMap<Id, Traits> whole;
  for (const auto &[member, found] : traits) {
    Traits &traits = whole[flows.getLeaderValue(member)];
    traits.isMultiplied |= found.isMultiplied;
    traits.leaves |= found.leaves;
    traits.onlyMoves &= found.onlyMoves;
  }
  traits = std::move(whole);
}

OperandFlows::Id OperandFlows::of(Operation *access) const {
  const Id flow = whole(access);
  const Traits found = traits.lookup(flow);
  return found.isMultiplied && !found.leaves ? flow : nullptr;
}

OperandFlows::Id OperandFlows::whole(Operation *access) const {
  auto leader = flows.findLeader(access);
  return leader == flows.member_end() ? nullptr : *leader; // one that the tile dialect does not have
}

void OperandFlows::follow(Value value) {
  pending.push_back(value);
  while (!pending.empty())
    for (OpOperand &use : pending.pop_back_val().getUses())
      followUse(use);
}

/// `next` is in the flow of `value`.
void OperandFlows::reach(Value value, Value next) {
  bool isNew = flows.findLeader(next.getAsOpaquePointer()) == flows.member_end();
  join(value, next.getAsOpaquePointer());
  if (isNew)
    pending.push_back(next);
}

void OperandFlows::followUse(OpOperand &use) {
  Operation *user = use.getOwner();
  Value value = use.get();
  if (isa<tile::DotOp>(user) && use.getOperandNumber() < 2) { // the accumulator and the result are one flow
    traits[value.getAsOpaquePointer()].isMultiplied = true;
    return;
  }
  if (isTensorAccess(user) || isa<tile::DotOp>(user))
    return join(value, user); // its results are followed on their own
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::ConditionOp, scf::YieldOp>(user)) {
    for (Value next : carriedTo(use))
      reach(value, next);
    return;
  }
  if (!isa<tile::ConvertLayoutOp, tile::TransOp, tile::ReshapeOp>(user))
    traits[value.getAsOpaquePointer()].onlyMoves = false;
  for (Value result : user->getResults())
    reach(value, result);
}

} // namespace tegula
