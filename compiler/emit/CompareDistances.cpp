#include "compiler/emit/CompareDistances.h"
#include "compiler/emit/KeptFlow.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tegula {
namespace {

/// `start + constant < end`, as numbers with a sign or without.
struct Comparison {
  ICmpInst *compare = nullptr;
  Value *start = nullptr, *end = nullptr;
  const APInt *constant = nullptr;
  bool isSigned = false;
};

/// Reads a comparison off `compare`; without a start where it is none, or where a sum may be lost or
/// negative.
Comparison comparisonIn(ICmpInst &compare, const SimplifyQuery &query) {
  CmpPredicate predicate = compare.getPredicate();
  Value *sum = compare.getOperand(0), *end = compare.getOperand(1);
  if (ICmpInst::isGT(predicate)) {
    std::swap(sum, end);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  if ((predicate != ICmpInst::ICMP_SLT && predicate != ICmpInst::ICMP_ULT) || isa<Constant>(end) ||
      !sum->hasOneUse())
    return {};
  Comparison found{.compare = &compare, .end = end, .isSigned = predicate == ICmpInst::ICMP_SLT};
  Value *start;
  const bool isSum = match(sum, m_DisjointOr(m_Value(start), m_APInt(found.constant))) ||
                     (found.isSigned ? match(sum, m_NSWAdd(m_Value(start), m_APInt(found.constant)))
                                     : match(sum, m_NUWAdd(m_Value(start), m_APInt(found.constant))));
  if (!isSum || found.constant->isNegative() || (found.isSigned && !isKnownNonNegative(start, query)))
    return {};
  found.start = start;
  return found;
}

/// Compares with the distance from `start` to `end`, both of which are known at `place`.
void rewrite(Value *start, Value *end, bool isSigned, ArrayRef<Comparison> group, Instruction *place) {
  IRBuilder<> builder(place);
  Value *most = builder.CreateBinaryIntrinsic(isSigned ? Intrinsic::smax : Intrinsic::umax, end, start);
  Value *distance = builder.CreateSub(most, start);
  for (const Comparison &one : group) {
    IRBuilder<> at(one.compare);
    one.compare->replaceAllUsesWith(at.CreateICmp(isSigned ? ICmpInst::ICMP_SGT : ICmpInst::ICMP_UGT,
                                                  distance,
                                                  ConstantInt::get(distance->getType(), *one.constant)));
    RecursivelyDeleteTriviallyDeadInstructions(one.compare);
  }
}

/// Returns the place from which on `first` and `second` are known; null where neither is known at the other.
Instruction *placeBehind(Value *first, Value *second, Function &function, const DominatorTree &dominators) {
  auto behind = [&](Value *value) -> Instruction * {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction)
      return &*function.getEntryBlock().getFirstInsertionPt();
    std::optional<BasicBlock::iterator> next = instruction->getInsertionPointAfterDef();
    return next ? &**next : nullptr;
  };
  for (auto [later, earlier] : {std::pair(first, second), std::pair(second, first)})
    if (Instruction *place = behind(later); place && dominators.dominates(earlier, place))
      return place;
  return nullptr;
}

} // namespace

PreservedAnalyses CompareDistancesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  MapVector<std::pair<Value *, std::pair<Value *, unsigned>>, SmallVector<Comparison>> groups;
  for (Instruction &instruction : instructions(function))
    if (auto *compare = dyn_cast<ICmpInst>(&instruction))
      if (const Comparison found = comparisonIn(*compare, SimplifyQuery(function.getDataLayout(), compare));
          found.start)
        groups[{found.start, {found.end, found.isSigned}}].push_back(found);
  bool changed = false;
  for (auto &[key, group] : groups) {
    auto [start, other] = key;
    auto [end, isSigned] = other;
    // The difference and the maximum cost as much as two sums.
    if (group.size() < 3)
      continue;
    if (Instruction *place = placeBehind(start, end, function, dominators)) {
      rewrite(start, end, isSigned, group, place);
      changed = true;
    }
  }
  return keepingFlow(changed);
}

} // namespace tegula
