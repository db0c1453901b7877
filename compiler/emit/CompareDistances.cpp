#include "compiler/emit/FunctionPasses.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <map>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tegula {
namespace {

/// `start + constant < end`, as numbers with a sign or without. The start is the sum of `parts`.
struct Comparison {
  ICmpInst *compare = nullptr;
  Value *end = nullptr;
  bool isSigned = false;
  APInt constant{1, 0};
  SmallVector<Value *> parts{};
};

/// Takes ors apart that are sums, since no bit is in both operands: their constants are added to `constant`.
void takeApart(Value *value, Comparison &found, unsigned depth = 0) {
  Value *left, *right;
  const APInt *number;
  if (match(value, m_APInt(number)))
    found.constant |= *number;
  else if (depth < MaxSumDepth && match(value, m_DisjointOr(m_Value(left), m_Value(right))))
    takeApart(left, found, depth + 1), takeApart(right, found, depth + 1);
  else
    found.parts.push_back(value);
}

/// Reads a comparison off `compare`; without parts where it is none, or where a sum may be lost or is needed
/// by others.
Comparison comparisonIn(ICmpInst &compare) {
  CmpPredicate predicate = compare.getPredicate();
  Value *sum = compare.getOperand(0), *end = compare.getOperand(1);
  if (ICmpInst::isGT(predicate)) {
    std::swap(sum, end);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  if ((predicate != ICmpInst::ICMP_SLT && predicate != ICmpInst::ICMP_ULT) || isa<Constant>(end) ||
      !end->getType()->isIntegerTy())
    return {};
  Comparison found{.compare = &compare, .end = end, .isSigned = predicate == ICmpInst::ICMP_SLT};
  Value *start;
  const APInt *constant;
  found.constant = APInt(sum->getType()->getIntegerBitWidth(), 0);
  if (found.isSigned ? match(sum, m_NSWAdd(m_Value(start), m_APInt(constant)))
                     : match(sum, m_NUWAdd(m_Value(start), m_APInt(constant)))) {
    found.constant = *constant;
    found.parts.push_back(start);
  } else if (match(sum, m_DisjointOr(m_Value(), m_Value()))) {
    takeApart(sum, found);
  }
  // A sum that others need is there in any case; one of several values is made where it is compared, and
  // lives on only if it is compared again.
  const bool isKept = found.constant.isZero() ? found.parts.size() > 1
                                              : all_of(sum->users(), IsaPred<ICmpInst>) &&
                                                    (found.parts.size() == 1 || !sum->hasOneUse());
  if (found.constant.isNegative() || !isKept)
    found.parts.clear();
  return found;
}

Value *sumOf(ArrayRef<Value *> parts, Instruction *place) {
  IRBuilder<> builder(place);
  Value *sum = parts.front();
  for (Value *part : parts.drop_front())
    sum = builder.CreateOr(sum, part, "", /*IsDisjoint=*/true);
  return sum;
}

/// Compares with the distance from `start` to the end of `group`, both of which are known at `place`.
void rewrite(Value *start, ArrayRef<Comparison> group, Instruction *place) {
  IRBuilder<> builder(place);
  const Comparison &first = group.front();
  Value *most =
      builder.CreateBinaryIntrinsic(first.isSigned ? Intrinsic::smax : Intrinsic::umax, first.end, start);
  // Of numbers with a sign, too, the difference is right as one without.
  Value *distance = builder.CreateSub(most, start);
  for (const Comparison &one : group) {
    IRBuilder<> at(one.compare);
    one.compare->replaceAllUsesWith(
        at.CreateICmpUGT(distance, ConstantInt::get(distance->getType(), one.constant)));
    RecursivelyDeleteTriviallyDeadInstructions(one.compare);
  }
}

/// Returns the place from which on all of `values` are known; null where one is not known at another.
Instruction *placeBehind(ArrayRef<Value *> values, Function &function, const DominatorTree &dominators) {
  auto behind = [&](Value *value) -> Instruction * {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction)
      return &*function.getEntryBlock().getFirstInsertionPt();
    std::optional<BasicBlock::iterator> next = instruction->getInsertionPointAfterDef();
    return next ? &**next : nullptr;
  };
  for (Value *last : values)
    if (Instruction *place = behind(last); place && all_of(values, [&](Value *value) {
                                             return value == last || dominators.dominates(value, place);
                                           }))
      return place;
  return nullptr;
}

} // namespace

PreservedAnalyses CompareDistancesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  using Key = std::tuple<Value *, bool, SmallVector<Value *>>;
  MapVector<Key, SmallVector<Comparison>, std::map<Key, unsigned>> groups;
  for (Instruction &instruction : instructions(function))
    if (auto *compare = dyn_cast<ICmpInst>(&instruction))
      if (Comparison found = comparisonIn(*compare); !found.parts.empty())
        groups[{found.end, found.isSigned, found.parts}].push_back(found);
  std::map<SmallVector<Value *>, Value *> starts;
  bool changed = false;
  for (auto &[key, group] : groups) {
    // The difference and the maximum cost as much as two sums.
    if (group.size() < 3)
      continue;
    SmallVector<Value *> values = group.front().parts;
    values.push_back(group.front().end);
    if (Instruction *place = placeBehind(values, function, dominators)) {
      Value *&start = starts[group.front().parts];
      if (!start || !dominators.dominates(start, place))
        start = sumOf(group.front().parts, place);
      rewrite(start, group, place);
      changed = true;
    }
  }
  return keepingFlow(changed);
}

} // namespace tegula
