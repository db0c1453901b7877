#include "compiler/emit/FunctionPasses.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace tegula {
namespace {

bool isSigned(const Instruction &division) {
  return division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
}

bool isRemainder(const Instruction &division) {
  return division.getOpcode() == Instruction::SRem || division.getOpcode() == Instruction::URem;
}

/// Is it at least -2^31, and below 2^31?
bool fitsSigned(const Value *value, const DataLayout &layout) {
  return ComputeNumSignBits(value, layout) > 32;
}

bool isNotNegative(const Value *value, const DataLayout &layout) {
  return isKnownNonNegative(value, SimplifyQuery(layout));
}

/// Divisions by constants are multiplications, whichever their width.
bool isNarrow(const Instruction &instruction, const DataLayout &layout) {
  if (!instruction.isIntDivRem() || !instruction.getType()->isIntegerTy(64) ||
      isa<Constant>(instruction.getOperand(1)))
    return false;
  const Value *dividend = instruction.getOperand(0);
  return fitsSigned(dividend, layout) && (isSigned(instruction) || isNotNegative(dividend, layout));
}

class Narrowing {
public:
  Narrowing(Instruction &division, const DataLayout &layout)
      : division(division), layout(layout), builder(&division) {}

  Value *result() {
    Value *dividend = division.getOperand(0), *divisor = division.getOperand(1);
    Value *upper = magnitude(dividend, builder.CreateTrunc(dividend, builder.getInt32Ty()));
    Value *lower = below32Bits(divisor);
    Value *quotient = builder.CreateUDiv(upper, lower);
    // Written so that a remainder and a quotient of the same numbers are one division.
    Value *found =
        isRemainder(division) ? builder.CreateSub(upper, builder.CreateMul(quotient, lower)) : quotient;
    Value *wide = builder.CreateZExt(found, division.getType());
    Value *sign = signOfResult(dividend, divisor);
    return sign ? builder.CreateSub(builder.CreateXor(wide, sign), sign) : wide;
  }

private:
  bool mayBeNegative(Value *value) const { return isSigned(division) && !isNotNegative(value, layout); }

  /// `bits` are all or the lower half of `value`; of the least number the magnitude is a number without sign.
  Value *magnitude(Value *value, Value *bits) {
    return mayBeNegative(value) ? builder.CreateBinaryIntrinsic(Intrinsic::abs, bits, builder.getFalse())
                                : bits;
  }

  Value *below32Bits(Value *divisor) {
    if (fitsSigned(divisor, layout) && isSigned(division))
      return magnitude(divisor, builder.CreateTrunc(divisor, builder.getInt32Ty()));
    Value *least = builder.CreateBinaryIntrinsic(Intrinsic::umin, magnitude(divisor, divisor),
                                                 builder.getInt64(UINT32_MAX));
    return builder.CreateTrunc(least, builder.getInt32Ty());
  }

  /// All ones where the result is negative and nothing where it is not; null where it never is.
  Value *signOfResult(Value *dividend, Value *divisor) {
    Value *deciding = mayBeNegative(dividend) ? dividend : nullptr;
    if (!isRemainder(division) && mayBeNegative(divisor))
      deciding = deciding ? builder.CreateXor(deciding, divisor) : divisor;
    return deciding ? builder.CreateAShr(deciding, 63) : nullptr;
  }

  Instruction &division;
  const DataLayout &layout;
  IRBuilder<> builder;
};

} // namespace

PreservedAnalyses NarrowDivisionsPass::run(Function &function, FunctionAnalysisManager &) {
  const DataLayout &layout = function.getDataLayout();
  SmallVector<Instruction *> found;
  for (Instruction &instruction : instructions(function))
    if (isNarrow(instruction, layout))
      found.push_back(&instruction);
  for (Instruction *division : found) {
    division->replaceAllUsesWith(Narrowing(*division, layout).result());
    division->eraseFromParent();
  }
  return keepingFlow();
}

} // namespace tegula
