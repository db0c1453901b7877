#include "compiler/emit/FunctionPasses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace tegula {
namespace {

bool isWidening(const Instruction &instruction) {
  return isa<SExtInst, ZExtInst>(instruction) && instruction.getType()->isIntegerTy(64) &&
         instruction.getOperand(0)->getType()->isIntegerTy(32);
}

/// Gives each block that uses the value for an address a copy of its own.
void repeat(Instruction &widening) {
  SmallDenseMap<BasicBlock *, Instruction *> copies;
  for (Use &use : make_early_inc_range(widening.uses())) {
    auto *user = dyn_cast<GetElementPtrInst>(use.getUser());
    if (!user || user->getParent() == widening.getParent())
      continue;
    Instruction *&copy = copies[user->getParent()];
    if (!copy) {
      copy = widening.clone();
      copy->insertBefore(user->getParent()->getFirstInsertionPt());
    }
    use.set(copy);
  }
  if (widening.use_empty())
    widening.eraseFromParent();
}

} // namespace

PreservedAnalyses RepeatWideningPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<Instruction *> found;
  for (Instruction &instruction : instructions(function))
    if (isWidening(instruction))
      found.push_back(&instruction);
  for (Instruction *widening : found)
    repeat(*widening);
  return keepingFlow();
}

} // namespace tegula
