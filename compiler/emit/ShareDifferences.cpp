#include "compiler/emit/FunctionPasses.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

#include <map>
#include <set>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tegula {
namespace {

/// Fewer differences are left as they are.
constexpr size_t LeastMembers = 3;

/// The sum that a difference is, without its constant: how often each value is added.
using Terms = SmallMapVector<Value *, int64_t, 4>;

/// Adds `value`, `factor` times, to `terms` and to the constant that is returned, modulo 2^64.
uint64_t addTerms(Value *value, int64_t factor, Terms &terms, unsigned depth = 0) {
  const APInt *number;
  if (match(value, m_APInt(number)))
    return number->getZExtValue() * uint64_t(factor);
  Value *left, *right;
  const bool isSum = match(value, m_AddLike(m_Value(left), m_Value(right)));
  if (depth < MaxSumDepth && (isSum || match(value, m_Sub(m_Value(left), m_Value(right))))) {
    const uint64_t first = addTerms(left, factor, terms, depth + 1);
    return first + addTerms(right, isSum ? factor : -factor, terms, depth + 1);
  }
  terms[value] += factor;
  return 0;
}

/// A difference, as its terms and a constant of its width.
struct Member {
  BinaryOperator *difference;
  uint64_t constant;
};

/// The differences of a block that have the same terms.
struct Group {
  Terms terms;
  SmallVector<Member> members;
};

/// Computes the sum of `terms`, each of them once; what is there before the block of `place` first, so that
/// it can leave a loop.
Value *sumOf(const Terms &terms, Type *type, Instruction *place) {
  SmallVector<std::pair<Value *, int64_t>> ordered(terms.begin(), terms.end());
  stable_sort(ordered, [&](const auto &a, const auto &b) {
    auto rank = [&](const auto &term) {
      auto *instruction = dyn_cast<Instruction>(term.first);
      return std::pair(instruction && instruction->getParent() == place->getParent(), term.second < 0);
    };
    return rank(a) < rank(b);
  });
  IRBuilder<> builder(place);
  Value *sum = nullptr;
  for (auto [value, factor] : ordered)
    if (factor < 0)
      sum = sum ? builder.CreateSub(sum, value) : builder.CreateNeg(value);
    else
      sum = sum ? builder.CreateAdd(sum, value) : value;
  return sum ? sum : Constant::getNullValue(type);
}

/// Makes the members of `group`, in the order of their block, of one sum.
void rewrite(const Group &group) {
  BinaryOperator *first = group.members.front().difference;
  Value *sum = sumOf(group.terms, first->getType(), first);
  std::map<uint64_t, Value *> made;
  for (const auto &[difference, constant] : group.members) {
    Value *&value = made[constant];
    if (!value)
      value = constant
                  ? IRBuilder<>(difference).CreateAdd(sum, ConstantInt::get(difference->getType(), constant))
                  : sum;
    difference->replaceAllUsesWith(value);
  }
}

bool hasEqual(const Group &group) {
  std::set<uint64_t> constants;
  for (const Member &member : group.members)
    constants.insert(member.constant);
  return constants.size() < group.members.size();
}

bool shareIn(BasicBlock &block) {
  std::map<Value *, unsigned> numbers; // of terms, in the order in which they are met
  std::map<std::vector<std::pair<unsigned, int64_t>>, Group> groups;
  for (Instruction &instruction : block) {
    Value *left, *right;
    auto *type = dyn_cast<IntegerType>(instruction.getType());
    if (!type || type->getBitWidth() > 64 || !match(&instruction, m_Sub(m_Value(left), m_Value(right))) ||
        isa<Constant>(left) || isa<Constant>(right))
      continue;
    Terms terms;
    const uint64_t constant = addTerms(&instruction, 1, terms) & type->getBitMask();
    terms.remove_if([](const auto &term) { return term.second == 0; });
    if (any_of(terms, [](const auto &term) { return std::abs(term.second) != 1; }))
      continue;
    std::vector<std::pair<unsigned, int64_t>> key;
    for (auto [value, factor] : terms)
      key.emplace_back(numbers.try_emplace(value, unsigned(numbers.size())).first->second, factor);
    sort(key);
    Group &group = groups[key];
    group.terms = terms;
    group.members.push_back({cast<BinaryOperator>(&instruction), constant});
  }
  bool changed = false;
  for (auto &[key, group] : groups)
    if (group.members.size() >= LeastMembers && hasEqual(group)) {
      rewrite(group);
      changed = true;
    }
  if (changed)
    for (auto &[key, group] : groups)
      for (const Member &member : reverse(group.members)) // one may have been a term of another
        if (member.difference->use_empty())
          member.difference->eraseFromParent();
  return changed;
}

} // namespace

PreservedAnalyses ShareDifferencesPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function)
    changed |= shareIn(block);
  return keepingFlow(changed);
}

} // namespace tegula
