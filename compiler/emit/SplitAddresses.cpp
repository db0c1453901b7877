#include "compiler/emit/SplitAddresses.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tegula {
namespace {

/// How deep in a chain of disjoint ors a constant is looked for: sums of a block's start, a thread's part
/// and a register's constant are two deep.
constexpr unsigned MaxDepth = 4;

/// The constant in a chain of disjoint ors, and in `others` what it is joined with; 0 where there is none.
int64_t findConstant(Value *value, SmallVectorImpl<Value *> &others, unsigned depth = 0) {
  const APInt *constant;
  Value *left, *right;
  if (match(value, m_DisjointOr(m_Value(left), m_APInt(constant)))) {
    others.push_back(left);
    return constant->isNegative() || constant->getActiveBits() > 31 ? 0 : constant->getSExtValue();
  }
  if (depth == MaxDepth || !match(value, m_DisjointOr(m_Value(left), m_Value(right))))
    return 0;
  for (auto [in, other] : {std::pair(right, left), std::pair(left, right)}) {
    size_t outer = others.size();
    others.push_back(other);
    if (int64_t found = findConstant(in, others, depth + 1))
      return found;
    others.truncate(outer);
  }
  return 0;
}

bool split(GetElementPtrInst &address) {
  if (address.getNumIndices() != 1)
    return false;
  Value *index = address.getOperand(1), *narrow = index;
  if (!match(index, m_SExt(m_Value(narrow))))
    match(index, m_ZExt(m_Value(narrow)));
  SmallVector<Value *, 4> others;
  int64_t constant = findConstant(narrow, others);
  if (!constant)
    return false;
  IRBuilder<> builder(&address);
  Type *element = address.getSourceElementType();
  // Joined as they are elsewhere, so that equal parts are found to be equal: the innermost first.
  Value *rest = others.back();
  for (Value *other : reverse(ArrayRef(others).drop_back()))
    rest = builder.CreateOr(other, rest, "", /*IsDisjoint=*/true);
  if (index != narrow)
    rest = builder.CreateCast(cast<CastInst>(index)->getOpcode(), rest, index->getType());
  Value *base = builder.CreateGEP(element, address.getPointerOperand(), rest);
  address.replaceAllUsesWith(builder.CreateGEP(element, base, builder.getInt64(uint64_t(constant))));
  address.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses SplitAddressesPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(block))
      if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
        changed |= split(*address);
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace tegula
