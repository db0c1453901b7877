#include "compiler/emit/FuseMultiplyAdd.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace tegula {
namespace {

/// `value` as a product that may go into a sum: contractable, and used there alone.
BinaryOperator *asProduct(Value *value) {
  auto *product = dyn_cast<BinaryOperator>(value);
  bool fits = product && product->getOpcode() == Instruction::FMul && product->hasOneUse() &&
              product->hasAllowContract();
  return fits ? product : nullptr;
}

/// a * b + c, c - a * b or a * b - c as one operation; null where `sum` is none of these.
Value *fused(BinaryOperator &sum) {
  bool subtracts = sum.getOpcode() == Instruction::FSub;
  if ((!subtracts && sum.getOpcode() != Instruction::FAdd) || !sum.hasAllowContract())
    return nullptr;
  BinaryOperator *product = asProduct(sum.getOperand(0));
  bool isFirst = product;
  if (!product)
    product = asProduct(sum.getOperand(1));
  if (!product)
    return nullptr;
  IRBuilder<> builder(&sum);
  Value *a = product->getOperand(0), *b = product->getOperand(1), *c = sum.getOperand(isFirst ? 1 : 0);
  if (subtracts && isFirst)
    c = builder.CreateFNeg(c);
  else if (subtracts)
    a = builder.CreateFNeg(a);
  return builder.CreateIntrinsic(Intrinsic::fma, {sum.getType()}, {a, b, c});
}

} // namespace

PreservedAnalyses FuseMultiplyAddPass::run(Function &function, FunctionAnalysisManager &) {
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(block)) {
      auto *sum = dyn_cast<BinaryOperator>(&instruction);
      if (!sum)
        continue;
      if (Value *result = fused(*sum)) {
        sum->replaceAllUsesWith(result);
        sum->eraseFromParent(); // its product, now without users, goes with the dead code
      }
    }
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (isa<FPMathOperator>(instruction))
        instruction.setHasAllowContract(false);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace tegula
