#include "compiler/emit/FunctionPasses.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tegula {
namespace {

/// Returns true if the backend may make `mul.hi` of `value`, which has 32 bits in 64.
bool isHighProduct(Value *value) {
  // The backend makes a product of the quotient by a constant, perhaps with a shift behind it; it may divide
  // in 32 bits what has 64 here, and take a signed quotient for unsigned.
  Value *quotient = value;
  (void)match(value, m_ZExtOrSExt(m_Value(quotient)));
  if (match(quotient, m_UDiv(m_Value(), m_Constant())) || match(quotient, m_SDiv(m_Value(), m_Constant())))
    return true;
  return match(value, m_LShr(m_Mul(m_ZExt(m_Value()), m_ZExtOrSelf(m_Value())), m_SpecificInt(32)));
}

void subtractTheOtherWay(Instruction &difference) {
  IRBuilder<> builder(&difference);
  Type *type = difference.getType();
  InlineAsm *assembly = InlineAsm::get(FunctionType::get(type, {type, type}, /*isVarArg=*/false),
                                       "sub.s64 $0, $2, $1;\n\tneg.s64 $0, $0;", "=l,l,l",
                                       /*hasSideEffects=*/false);
  difference.replaceAllUsesWith(
      builder.CreateCall(assembly, {difference.getOperand(0), difference.getOperand(1)}));
  difference.eraseFromParent();
}

} // namespace

PreservedAnalyses KeepBorrowsPass::run(Function &function, FunctionAnalysisManager &) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (instruction.getOpcode() == Instruction::Sub && instruction.getType()->isIntegerTy(64) &&
        isHighProduct(instruction.getOperand(0)))
      subtractTheOtherWay(instruction);
  return keepingFlow();
}

} // namespace tegula
