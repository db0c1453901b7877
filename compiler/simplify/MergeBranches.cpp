// The pass `merge-branches`: Passes.td says what it does and why it is where it is.
#include "compiler/analysis/integers/KernelParam.h"
#include "compiler/simplify/BranchMatch.h"
#include "compiler/simplify/Passes.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tegula;

namespace tegula {
#define GEN_PASS_DEF_MERGEBRANCHESPASS
#include "compiler/simplify/Passes.h.inc"
} // namespace tegula

namespace {

/// Fewer branches than this are not worth a second choice.
constexpr size_t LeastBranches = 3;

/// `if a: .. elif b: .. elif c: .. else: ..` without results.
struct Chain {
  SmallVector<scf::IfOp> choices;
  SmallVector<Operation *> between; ///< scalars that the later conditions take
  Block *otherwise = nullptr;       ///< what is done where none is true, if anything is

  explicit Chain(scf::IfOp first);
  /// Returns whether each condition holds wherever one before it does: a number is below bounds that grow.
  bool isOrdered();
};

bool Chain::isOrdered() {
  arith::CmpIOp before;
  APInt last, bound;
  return llvm::all_of(choices, [&](scf::IfOp choice) {
    auto compare = choice.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || !matchPattern(compare.getRhs(), m_ConstantInt(&bound)))
      return false;
    const bool isFirst = !before;
    const bool isSigned = compare.getPredicate() == arith::CmpIPredicate::slt;
    if (!isSigned && compare.getPredicate() != arith::CmpIPredicate::ult)
      return false;
    if (!isFirst && (compare.getPredicate() != before.getPredicate() || compare.getLhs() != before.getLhs() ||
                     !(isSigned ? last.sle(bound) : last.ule(bound))))
      return false;
    before = compare;
    last = bound;
    return true;
  });
}

Chain::Chain(scf::IfOp first) {
  for (scf::IfOp choice = first; choice;) {
    choices.push_back(choice);
    Block *rest = choice.elseBlock();
    choice = nullptr;
    if (!rest || rest->without_terminator().empty())
      return;
    auto next = dyn_cast<scf::IfOp>(*std::prev(rest->getTerminator()->getIterator()));
    auto scalars = llvm::make_range(rest->begin(), next ? next->getIterator() : rest->begin());
    if (!next || next.getNumResults() || !llvm::all_of(scalars, [](Operation &op) {
          return isPure(&op) && llvm::all_of(op.getResultTypes(), isScalar);
        })) {
      otherwise = rest;
      return;
    }
    for (Operation &op : scalars)
      between.push_back(&op);
    choice = next;
  }
}

/// A number that branches which do the same have in common: of names of ops that are not just scalars.
size_t fingerprintOf(Block *branch) {
  size_t sum = 0;
  for (Operation &op : branch->without_terminator())
    if (op.getNumResults() == 0 || !llvm::all_of(op.getResultTypes(), isScalar))
      sum += llvm::hash_value(op.getName().getAsOpaquePointer());
  return sum;
}

/// Branches that do the same: the body of the first, and for each the values that replace what differs.
struct Group {
  Block *body = nullptr;
  size_t fingerprint = 0;                           ///< `fingerprintOf` of each
  SmallVector<std::unique_ptr<BranchMatch>> others; ///< of all members but the first
  llvm::SmallSetVector<Value, 16> parameters;       ///< values of the first that differ and are used
  SmallVector<size_t> slots;                        ///< which results of the choice the parameters are

  bool collectParameters();
};

/// Fills in `parameters`. Whether merging is possible and takes away more than it adds.
bool Group::collectParameters() {
  llvm::SmallSetVector<Value, 16> differing;
  for (const std::unique_ptr<BranchMatch> &match : others)
    differing.insert(match->differing.begin(), match->differing.end());
  llvm::SmallSetVector<Operation *, 32> needed;
  for (Operation &op : body->without_terminator())
    if (!isPure(&op))
      needed.insert(&op);
  for (unsigned i = 0; i < needed.size(); ++i)
    for (Value operand : needed[i]->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (differing.contains(operand))
        parameters.insert(operand);
      else if (op && op->getBlock() == body)
        needed.insert(op);
    }
  for (const std::unique_ptr<BranchMatch> &match : others)
    for (Value parameter : parameters)
      if (!match->counterpart.contains(parameter))
        return false;
  return needed.size() >= parameters.size() + 4;
}

/// Takes a chain of choices apart into one that only chooses, and what is done then.
class Merger {
public:
  Merger(Chain &chain, SmallVector<Group, 0> groups,
         ArrayRef<std::pair<unsigned, const BranchMatch *>> members)
      : chain(chain), isOrdered(chain.isOrdered()), groups(std::move(groups)), members(members) {}
  void run();

private:
  SmallVector<Value> choose(OpBuilder &builder, size_t first, size_t last);
  SmallVector<Value> valuesOf(OpBuilder &builder, size_t member, Block *block);
  void rewriteBody(Group &group, scf::IfOp branch, ValueRange chosen);

  Chain &chain;
  const bool isOrdered;
  SmallVector<Group, 0> groups;
  /// The group of each branch, and how it corresponds to the first of it (null for that one itself).
  ArrayRef<std::pair<unsigned, const BranchMatch *>> members;
  /// Results of the choice, the number of the group first: one serves several groups.
  SmallVector<Type> types;
};

/// A result of the choice, and what is known of the values that it may have: groups whose values are alike
/// share it.
struct Slot {
  Type type;
  unsigned facts;
  bool operator==(const Slot &other) const { return type == other.type && facts == other.facts; }
};

Slot slotOf(Value parameter) {
  unsigned facts = 0;
  if (tile::ParamAttr param = paramOf(parameter))
    facts = 1 + 2 * param.getDivisibility() + param.getNonNegative();
  else if (auto integer = dyn_cast_if_present<IntegerAttr>(numberOf(parameter)))
    facts = 1 + divisibilityOf(integer.getValue());
  return {tile::elementTypeOf(parameter.getType()), facts};
}

/// Returns what the choice of a branch tells: the number of its group, and a value for each slot.
SmallVector<Value> Merger::valuesOf(OpBuilder &builder, size_t member, Block *block) {
  Location loc = chain.choices.front().getLoc();
  const bool isNone = member == members.size();
  const unsigned chosen = isNone ? unsigned(groups.size()) : members[member].first;
  SmallVector<Value> values(types.size());
  values[0] = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(chosen)));
  IRMapping before;
  auto fill = [&](size_t slot, Value value, Block *computedIn, bool isOwn) {
    const bool isInside = value.getDefiningOp() && value.getDefiningOp()->getBlock() == computedIn;
    if (TypedAttr number = numberOf(value)) {
      value = arith::ConstantOp::create(builder, loc, number);
    } else if (isInside && isOwn) {
      llvm::SetVector<Operation *> slice;
      findScalarSlice(value, computedIn, slice);
      for (Operation *step : slice)
        if (!before.contains(step->getResult(0)))
          builder.clone(*step, before);
      value = before.lookup(value);
    } else if (isInside) {
      value = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(types[slot]));
    }
    values[slot] = value;
  };
  if (!isNone)
    for (auto [slot, parameter] : llvm::zip_equal(groups[chosen].slots, groups[chosen].parameters)) {
      const BranchMatch *match = members[member].second;
      fill(slot, match ? match->counterpart.lookup(parameter) : parameter, block, /*isOwn=*/true);
    }
  // The others are unused: they get what teaches analyses nothing new.
  for (const Group &group : groups)
    for (auto [slot, parameter] : llvm::zip_equal(group.slots, group.parameters))
      if (!values[slot])
        fill(slot, parameter, group.body, /*isOwn=*/false);
  return values;
}

/// Returns the choice among the branches from `first` to `last`, the last of all what is done otherwise: what
/// `valuesOf` gives for the one that is taken. Where conditions are ordered, each halves what is left.
SmallVector<Value> Merger::choose(OpBuilder &builder, size_t first, size_t last) {
  if (first == chain.choices.size())
    return valuesOf(builder, chain.otherwise ? first : members.size(), chain.otherwise);
  if (first == last)
    return valuesOf(builder, first, chain.choices[first].thenBlock());
  const size_t middle = isOrdered ? (first + last) / 2 : first;
  scf::IfOp old = chain.choices[middle];
  auto choice = scf::IfOp::create(builder, old.getLoc(), types, old.getCondition(), /*withElseRegion=*/true);
  OpBuilder inside = choice.getThenBodyBuilder();
  scf::YieldOp::create(inside, old.getLoc(), choose(inside, first, middle));
  inside = choice.getElseBodyBuilder();
  scf::YieldOp::create(inside, old.getLoc(), choose(inside, middle + 1, last));
  return SmallVector<Value>(choice.getResults());
}

/// Moves a group's body to `branch`, where `chosen` replaces its parameters.
void Merger::rewriteBody(Group &group, scf::IfOp branch, ValueRange chosen) {
  Block *to = branch.thenBlock();
  group.body->getTerminator()->erase();
  to->getOperations().splice(to->begin(), group.body->getOperations());
  OpBuilder builder = OpBuilder::atBlockBegin(to);
  for (auto [number, each] : llvm::enumerate(group.parameters)) {
    Value parameter = each, value = chosen[group.slots[number]];
    if (isa<RankedTensorType>(parameter.getType()))
      value = tile::SplatOp::create(builder, branch.getLoc(), parameter.getType(), value);
    parameter.replaceUsesWithIf(value, [&](OpOperand &use) {
      return to->findAncestorOpInBlock(*use.getOwner()) && use.getOwner() != value.getDefiningOp();
    });
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*to)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

void Merger::run() {
  scf::IfOp first = chain.choices.front();
  for (Operation *op : chain.between)
    op->moveBefore(first);
  OpBuilder builder(first);
  SmallVector<Slot> slots{{builder.getI32Type(), ~0u}};
  for (Group &group : groups) {
    llvm::SmallDenseSet<size_t> taken;
    for (Value parameter : group.parameters) {
      size_t place = 0;
      while (place < slots.size() && (!(slots[place] == slotOf(parameter)) || taken.contains(place)))
        ++place;
      if (place == slots.size())
        slots.push_back(slotOf(parameter));
      taken.insert(place);
      group.slots.push_back(place);
    }
  }
  for (const Slot &slot : slots)
    types.push_back(slot.type);
  const SmallVector<Value> chosen = choose(builder, 0, chain.choices.size());
  for (auto [number, group] : llvm::enumerate(groups)) {
    Location loc = group.body->getParentOp()->getLoc();
    Value index = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(number)));
    Value isIt = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, chosen[0], index);
    auto branch = scf::IfOp::create(builder, loc, isIt, /*withElseRegion=*/number + 1 < groups.size());
    rewriteBody(group, branch, chosen);
    if (number + 1 < groups.size())
      builder = branch.getElseBodyBuilder();
  }
  first.erase();
}

/// Merges what branches of a chain have in common. False where nothing is gained.
bool merge(Chain &chain) {
  SmallVector<Block *> branches;
  for (scf::IfOp choice : chain.choices)
    branches.push_back(choice.thenBlock());
  if (chain.otherwise)
    branches.push_back(chain.otherwise);
  if (branches.size() < LeastBranches)
    return false;
  SmallVector<Group, 0> groups;
  SmallVector<std::pair<unsigned, const BranchMatch *>> members;
  for (Block *branch : branches) {
    std::unique_ptr<BranchMatch> match;
    const size_t fingerprint = fingerprintOf(branch);
    auto *group = llvm::find_if(groups, [&](Group &group) {
      if (group.fingerprint != fingerprint)
        return false;
      match = std::make_unique<BranchMatch>(group.body, branch);
      return match->find();
    });
    const unsigned number = unsigned(group - groups.begin());
    if (group == groups.end()) {
      groups.emplace_back();
      groups.back().body = branch;
      groups.back().fingerprint = fingerprint;
      members.emplace_back(number, nullptr);
      continue;
    }
    members.emplace_back(number, match.get());
    group->others.push_back(std::move(match));
  }
  bool gains = false;
  for (Group &group : groups) {
    if (group.others.empty())
      continue;
    if (!group.collectParameters())
      return false;
    gains |= group.others.size() + 1 >= LeastBranches;
  }
  if (!gains)
    return false;
  for (const Group &group : groups)
    if (!group.others.empty())
      remark::passed(group.body->getParentOp()->getLoc(),
                     remark::RemarkOpts::name("merged").category("merge-branches"))
          << std::to_string(group.others.size() + 1) +
                 " branches do the same with other values, and share their code";
  Merger(chain, std::move(groups), members).run();
  return true;
}

struct MergeBranchesPass : tegula::impl::MergeBranchesPassBase<MergeBranchesPass> {
  void runOnOperation() override {
    getOperation().walk<WalkOrder::PreOrder>([&](scf::IfOp first) {
      if (first.getNumResults())
        return WalkResult::advance();
      Chain chain(first);
      return merge(chain) ? WalkResult::skip() : WalkResult::advance();
    });
  }
};

} // namespace
