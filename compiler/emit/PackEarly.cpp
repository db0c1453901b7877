#include "compiler/emit/FunctionPasses.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace tegula {
namespace {

/// A part of packing: an element put into a register, or the register taken for a number.
bool packs(const Instruction &instruction) {
  constexpr unsigned registerBits = 32;
  auto fits = [](Type *type) {
    auto *vector = dyn_cast<FixedVectorType>(type);
    return vector && vector->getPrimitiveSizeInBits() <= registerBits;
  };
  if (isa<InsertElementInst>(instruction))
    return fits(instruction.getType()) && isa<Constant>(instruction.getOperand(2));
  return isa<BitCastInst>(instruction) && fits(instruction.getOperand(0)->getType());
}

/// The block that has computed the last of what `instruction` needs; null where that is none.
BasicBlock *readyIn(const Instruction &instruction, const DominatorTree &dominators) {
  BasicBlock *last = nullptr;
  for (Value *operand : instruction.operands())
    if (auto *needed = dyn_cast<Instruction>(operand))
      if (!last || dominators.dominates(last, needed->getParent()))
        last = needed->getParent();
  return last;
}

} // namespace

PreservedAnalyses PackEarlyPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  const auto &loops = analyses.getResult<LoopAnalysis>(function);
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &instruction : make_early_inc_range(*block)) {
      if (!packs(instruction))
        continue;
      BasicBlock *ready = readyIn(instruction, dominators);
      // Neither into a loop whose result it packs nor out of one, which is for others to judge.
      if (ready && ready != block && loops.getLoopFor(ready) == loops.getLoopFor(block))
        instruction.moveBefore(ready->getTerminator()->getIterator());
    }
  return keepingFlow();
}

} // namespace tegula
