#include "compiler/emit/AssemblyText.h"
#include "compiler/emit/FunctionPasses.h"
#include "compiler/emit/RegisterCount.h"
#include "compiler/lower/Symbols.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DataLayout.h"
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

/// Returns whether `instruction` stores to global memory; under a mask it is assembly of ours.
bool isGlobalStore(const Instruction &instruction) {
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return store->getPointerAddressSpace() == GlobalAddressSpace;
  return assemblyText(instruction).contains("st.global");
}

/// The most instructions that are looked at to tell whether a value had better be computed early.
constexpr unsigned MostOfCone = 64;

/// The order of one block.
class BlockOrder {
public:
  explicit BlockOrder(BasicBlock &block) : block(block), layout(block.getDataLayout()) {
    for (Instruction &instruction : block)
      if (onlyComputes(instruction))
        waiting.insert(&instruction);
  }

  void apply() {
    SmallVector<Instruction *> fixed;
    for (Instruction &instruction : block)
      if (!isa<PHINode>(instruction) && !waiting.contains(&instruction))
        fixed.push_back(&instruction);
    ahead.insert(fixed.begin(), fixed.end());
    for (auto [number, instruction] : enumerate(fixed)) {
      // What only later blocks need is needed by the end of this one.
      if (instruction->isTerminator())
        for (Instruction *other : inOrder())
          place(other, instruction);
      for (Value *operand : instruction->operands())
        place(operand, instruction);
      ahead.erase(instruction);
      if (!instruction->isTerminator())
        placeWhatFrees(*fixed[number + 1]);
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
      placed.push_back(instruction);
      stack.pop_back();
    }
  }

  /// Moves to before `where` what later stores need, is made of what was just placed, and takes fewer
  /// registers than what nothing else needs any more then.
  void placeWhatFrees(Instruction &where) {
    auto isWaiting = [&](User *user) { return waiting.contains(cast<Instruction>(user)); };
    for (size_t i = 0, count = placed.size(); i < count; ++i)
      if (any_of(placed[i]->users(), isWaiting))
        for (Instruction *needed : neededLater(placed[i]))
          if (waiting.contains(needed) && freesRegisters(needed))
            place(needed, &where);
    placed.clear();
  }

  /// Returns what stores to global memory ahead need and `value` is part of. What products need, and what
  /// goes through shared memory, had better stay: made early, the weights of attention cost registers that
  /// its sums have.
  SmallVector<Instruction *> neededLater(Instruction *value) const {
    SmallVector<Instruction *> reached = {value}, needed;
    SmallPtrSet<Instruction *, 16> seen;
    for (unsigned i = 0; i < reached.size() && i < MostOfCone; ++i)
      for (User *user : reached[i]->users()) {
        auto *instruction = cast<Instruction>(user);
        if (waiting.contains(instruction) && seen.insert(instruction).second)
          reached.push_back(instruction);
        else if (i > 0 && ahead.contains(instruction) && isGlobalStore(*instruction) &&
                 !is_contained(needed, reached[i]))
          needed.push_back(reached[i]);
      }
    return needed;
  }

  /// Returns whether computing `root` now leaves fewer registers in use.
  bool freesRegisters(Instruction *root) const {
    SmallPtrSet<Instruction *, 16> cone = {root};
    SmallVector<Instruction *> order = {root};
    SmallPtrSet<Value *, 16> leaves;
    for (unsigned i = 0; i < order.size(); ++i) {
      if (order.size() > MostOfCone)
        return false;
      for (Value *operand : order[i]->operands()) {
        auto *instruction = dyn_cast<Instruction>(operand);
        if (instruction && waiting.contains(instruction)) {
          if (cone.insert(instruction).second)
            order.push_back(instruction);
        } else if (instruction && ahead.contains(instruction)) {
          return false; // not there yet
        } else if (instruction && !isa<PHINode>(instruction) && instruction->getParent() == &block) {
          leaves.insert(operand);
        }
      }
    }
    unsigned freed = 0;
    for (Value *leaf : leaves)
      if (all_of(leaf->users(), [&](User *user) {
            auto *instruction = cast<Instruction>(user);
            return cone.contains(instruction) ||
                   (instruction->getParent() == &block && !isa<PHINode>(instruction) &&
                    !waiting.contains(instruction) && !ahead.contains(instruction));
          }))
        freed += registersOf(*leaf, layout);
    return freed > registersOf(*root, layout);
  }

  BasicBlock &block;
  const DataLayout &layout;
  SmallPtrSet<Instruction *, 32> waiting; ///< not yet placed
  SmallPtrSet<Instruction *, 32> ahead;   ///< those that keep their place and are still to come
  SmallVector<Instruction *> placed;      ///< since the last instruction that keeps its place
};

} // namespace

PreservedAnalyses PlaceNearUsesPass::run(Function &function, FunctionAnalysisManager &) {
  for (BasicBlock &block : function)
    BlockOrder(block).apply();
  return keepingFlow();
}

} // namespace tegula
