#include "compiler/emit/AssemblyText.h"
#include "compiler/emit/FunctionPasses.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cstdint>

using namespace llvm;

namespace tegula {
namespace {

/// Returns whether `user` sees no more of a register than the value's own bits: it stores them, cuts some off
/// or puts them into a word.
bool onlyMoves(User *user) {
  if (auto *call = dyn_cast<CallInst>(user))
    return assemblyText(*call).contains("st.");
  return isa<StoreInst, TruncInst, InsertElementInst, BitCastInst>(user);
}

/// Returns the conversion of `from` to 32 bits by an instruction, which gives the nearest integer that there
/// is, and 0 for NaN.
Value *converted(IRBuilder<> &builder, Value *from, bool isSigned) {
  const bool isDouble = from->getType()->isDoubleTy();
  if (!isDouble)
    from = builder.CreateFPExt(from, builder.getFloatTy());
  const Intrinsic::ID instruction = isDouble ? (isSigned ? Intrinsic::nvvm_d2i_rz : Intrinsic::nvvm_d2ui_rz)
                                             : (isSigned ? Intrinsic::nvvm_f2i_rz : Intrinsic::nvvm_f2ui_rz);
  return builder.CreateIntrinsic(instruction, {}, {from});
}

void widen(CastInst &conversion) {
  IRBuilder<> builder(&conversion);
  const bool isSigned = conversion.getOpcode() == Instruction::FPToSI;
  Value *wide = converted(builder, conversion.getOperand(0), isSigned);
  auto limit = [&](Intrinsic::ID operation, uint32_t bound) {
    wide = builder.CreateBinaryIntrinsic(operation, wide, builder.getInt32(bound));
  };
  limit(isSigned ? Intrinsic::smin : Intrinsic::umin, isSigned ? INT16_MAX : UINT16_MAX);
  if (isSigned)
    limit(Intrinsic::smax, uint32_t(INT16_MIN));
  conversion.replaceAllUsesWith(builder.CreateTrunc(wide, conversion.getType()));
  conversion.eraseFromParent();
}

} // namespace

PreservedAnalyses WidenConversionsPass::run(Function &function, FunctionAnalysisManager &) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (isa<FPToSIInst, FPToUIInst>(instruction) &&
        (instruction.getType()->isIntegerTy(8) || instruction.getType()->isIntegerTy(16)) &&
        !all_of(instruction.users(), onlyMoves))
      widen(cast<CastInst>(instruction));
  return keepingFlow();
}

} // namespace tegula
