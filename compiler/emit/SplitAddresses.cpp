#include "compiler/emit/FunctionPasses.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tegula {
namespace {

/// The depth to which a constant is looked for in a chain of disjoint ors: sums of a block's start, a
/// thread's part and a register's constant are two deep.
constexpr unsigned MaxDepth = 4;

/// An index without the constant that was joined with it.
struct Split {
  Value *rest = nullptr;
  uint64_t constant = 0; ///< 0: there was none
};

/// Takes the constant out of a chain of disjoint ors and of shifts of them. Or-ing distributes over a shift,
/// and nothing is lost by the constant while it stays below the sign. `rest` is made only where there is a
/// constant.
Split split(IRBuilder<> &builder, Value *value, unsigned depth = 0) {
  const APInt *number;
  Value *left, *right;
  if (match(value, m_DisjointOr(m_Value(left), m_APInt(number))))
    return number->isNegative() || number->getActiveBits() > 31 ? Split{}
                                                                : Split{left, number->getZExtValue()};
  if (depth == MaxDepth)
    return {};
  if (match(value, m_Shl(m_Value(left), m_APInt(number)))) {
    const unsigned bits = value->getType()->getScalarSizeInBits();
    if (number->uge(31))
      return {};
    Split inner = split(builder, left, depth + 1);
    const uint64_t constant = inner.constant << number->getZExtValue();
    if (!inner.constant || constant >> std::min(bits - 1, 31u))
      return {};
    return {builder.CreateShl(inner.rest, number->getZExtValue()), constant};
  }
  if (!match(value, m_DisjointOr(m_Value(left), m_Value(right))))
    return {};
  for (auto [in, other] : {std::pair(right, left), std::pair(left, right)})
    // Joined as they are elsewhere, so that equal parts are found to be equal.
    if (Split inner = split(builder, in, depth + 1); inner.constant)
      return {builder.CreateOr(other, inner.rest, "", /*IsDisjoint=*/true), inner.constant};
  return {};
}

/// Makes `i | 96` the disjoint `(i & 31) | 96` again where the masked part is computed anyway: InstCombine
/// drops a mask that the constant covers, here of an i below 128, and then one index in four has nothing in
/// common with its neighbours. GVN finds the masked part to be the one that there was.
bool restoreMask(Instruction &instruction, const DataLayout &layout) {
  Value *whole;
  const APInt *number;
  if (!match(&instruction, m_Or(m_Value(whole), m_APInt(number))) || !isa<Instruction>(whole) ||
      cast<PossiblyDisjointInst>(instruction).isDisjoint())
    return false;
  const APInt mask = ~computeKnownBits(whole, layout).Zero & ~*number;
  if (none_of(whole->users(),
              [&](User *user) { return match(user, m_And(m_Specific(whole), m_SpecificInt(mask))); }))
    return false;
  IRBuilder<> builder(&instruction);
  instruction.setOperand(0, builder.CreateAnd(whole, mask));
  cast<PossiblyDisjointInst>(instruction).setIsDisjoint(true);
  return true;
}

bool split(GetElementPtrInst &address) {
  if (address.getNumIndices() != 1)
    return false;
  Value *index = address.getOperand(1), *narrow = index;
  if (!match(index, m_SExt(m_Value(narrow))))
    match(index, m_ZExt(m_Value(narrow)));
  IRBuilder<> builder(&address);
  auto [rest, constant] = split(builder, narrow);
  if (!constant)
    return false;
  Type *element = address.getSourceElementType();
  if (index != narrow)
    rest = builder.CreateCast(cast<CastInst>(index)->getOpcode(), rest, index->getType());
  Value *base = builder.CreateGEP(element, address.getPointerOperand(), rest);
  address.replaceAllUsesWith(builder.CreateGEP(element, base, builder.getInt64(constant)));
  address.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses SplitAddressesPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : instructions(function))
    changed |= restoreMask(instruction, function.getDataLayout());
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(block))
      if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
        changed |= split(*address);
  return keepingFlow(changed);
}

} // namespace tegula
