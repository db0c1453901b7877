#include "compiler/emit/SplitAddresses.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tegula {
namespace {

/// The constant that `index` adds to the rest, which goes to `rest`; 0 where there is none to take out.
int64_t takeConstant(Value *index, Value *&rest) {
  const APInt *constant;
  Value *narrow = index;
  bool isSigned = match(index, m_SExt(m_Value(narrow)));
  bool isUnsigned = !isSigned && match(index, m_ZExt(m_Value(narrow)));
  bool adds = match(narrow, m_DisjointOr(m_Value(rest), m_APInt(constant)));
  // A sum keeps its value when widened only if it does not overflow in the sense of the widening.
  if (isUnsigned)
    adds = adds || match(narrow, m_NUWAdd(m_Value(rest), m_APInt(constant)));
  else if (isSigned)
    adds = adds || match(narrow, m_NSWAdd(m_Value(rest), m_APInt(constant)));
  if (!adds || constant->isNegative() || constant->getActiveBits() > 31)
    return 0;
  return constant->getSExtValue();
}

bool split(GetElementPtrInst &address) {
  if (address.getNumIndices() != 1)
    return false;
  Value *index = address.getOperand(1), *rest = nullptr;
  int64_t constant = takeConstant(index, rest);
  if (!constant)
    return false;
  IRBuilder<> builder(&address);
  Type *element = address.getSourceElementType();
  if (isa<SExtInst>(index))
    rest = builder.CreateSExt(rest, index->getType());
  else if (isa<ZExtInst>(index))
    rest = builder.CreateZExt(rest, index->getType());
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
