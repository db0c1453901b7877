#include "compiler/emit/PlaceNearUses.h"
#include "compiler/emit/KeptFlow.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace tegula {
namespace {

/// True for instructions that may be anywhere between what they need and what needs them.
bool onlyComputes(const Instruction &instruction) {
  if (isa<PHINode, AllocaInst>(instruction) || instruction.isTerminator())
    return false;
  if (auto *call = dyn_cast<CallBase>(&instruction)) {
    if (call->isConvergent())
      return false;
    // Assembly of ours that touches memory says that it has side effects.
    if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
      return !assembly->hasSideEffects();
  }
  return !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects();
}

/// The order of one block.
class BlockOrder {
public:
  explicit BlockOrder(BasicBlock &block) : block(block) {
    for (Instruction &instruction : block)
      if (onlyComputes(instruction))
        waiting.insert(&instruction);
  }

  void apply() {
    SmallVector<Instruction *> fixed;
    for (Instruction &instruction : block)
      if (!isa<PHINode>(instruction) && !waiting.contains(&instruction))
        fixed.push_back(&instruction);
    for (Instruction *instruction : fixed) {
      // What only later blocks need is needed by the end of this one.
      if (instruction->isTerminator())
        for (Instruction *other : inOrder())
          place(other, instruction);
      for (Value *operand : instruction->operands())
        place(operand, instruction);
    }
  }

private:
  SmallVector<Instruction *> inOrder() const {
    SmallVector<Instruction *> rest;
    for (Instruction &instruction : block)
      if (waiting.contains(&instruction))
        rest.push_back(&instruction);
    return rest;
  }

  /// Moves what `value` needs, and `value`, to before `where`. A stack of its own: chains may be long.
  void place(Value *value, Instruction *where) {
    SmallVector<std::pair<Instruction *, unsigned>> stack; // an instruction and its next operand
    auto enter = [&](Value *needed) {
      auto *instruction = dyn_cast<Instruction>(needed);
      if (instruction && waiting.erase(instruction))
        stack.push_back({instruction, 0});
    };
    enter(value);
    while (!stack.empty()) {
      auto &[instruction, next] = stack.back();
      if (next < instruction->getNumOperands()) {
        enter(instruction->getOperand(next++));
        continue;
      }
      instruction->moveBefore(where->getIterator());
      stack.pop_back();
    }
  }

  BasicBlock &block;
  SmallPtrSet<Instruction *, 32> waiting; ///< not yet placed
};

} // namespace

PreservedAnalyses PlaceNearUsesPass::run(Function &function, FunctionAnalysisManager &) {
  for (BasicBlock &block : function)
    BlockOrder(block).apply();
  return keepingFlow();
}

} // namespace tegula
