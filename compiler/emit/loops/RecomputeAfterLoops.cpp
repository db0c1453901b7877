#include "compiler/emit/FunctionPasses.h"
#include "compiler/emit/RegisterCount.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace tegula {
namespace {

/// Registers that live through all of a loop, from which on it is short of them: the values of an iteration
/// come on top, and are as many again in loops of products.
constexpr unsigned EnoughRegisters = 96;

/// Returns the name in PTX of the special register that `value` reads, such as "%tid.x"; empty for other
/// values.
std::string specialRegister(const Value *value) {
  const auto *call = dyn_cast<IntrinsicInst>(value);
  StringRef name = call ? call->getCalledFunction()->getName() : StringRef();
  if (!name.consume_front("llvm.nvvm.read.ptx.sreg.") || !call->getType()->isIntegerTy(32))
    return "";
  return ("%" + name).str();
}

/// Returns whether `instruction` computes an index, a pointer or a mask by one or two cheap instructions.
bool isCheap(const Instruction &instruction) {
  if (!instruction.getType()->isIntOrPtrTy() || instruction.isIntDivRem())
    return false;
  if (const auto *call = dyn_cast<IntrinsicInst>(&instruction))
    return isa<MinMaxIntrinsic>(call) || !specialRegister(call).empty();
  if (const auto *cast = dyn_cast<CastInst>(&instruction))
    return cast->getSrcTy()->isIntOrPtrTy();
  return isa<BinaryOperator, GetElementPtrInst, ICmpInst, SelectInst>(instruction);
}

/// A loop, and what is computed anew behind it.
class Recomputation {
public:
  Recomputation(Loop &loop, BasicBlock &exit, const DominatorTree &dominators)
      : loop(loop), exit(exit), dominators(dominators) {}

  void apply(Function &function) {
    const DataLayout &layout = function.getDataLayout();
    unsigned registers = 0;
    for (const PHINode &phi : loop.getHeader()->phis())
      registers += registersOf(phi, layout);
    SmallVector<Instruction *> waiting;
    for (Instruction &instruction : instructions(function)) {
      if (!isBefore(instruction))
        continue;
      const bool isNeeded = usedInLoop(instruction), isWaiting = !isNeeded && usedBehind(instruction);
      if (isNeeded || isWaiting)
        registers += registersOf(instruction, layout);
      if (isWaiting)
        waiting.push_back(&instruction);
    }
    if (registers < EnoughRegisters)
      return;
    for (Instruction *instruction : waiting)
      if (canRecompute(instruction))
        instruction->replaceUsesWithIf(recompute(instruction), [&](Use &use) { return isBehind(use); });
  }

private:
  bool isBefore(const Instruction &instruction) const {
    return !loop.contains(&instruction) && dominators.dominates(instruction.getParent(), loop.getHeader());
  }
  /// Returns whether a use is reached through the loop's end alone.
  bool isBehind(const Use &use) const {
    const auto *user = cast<Instruction>(use.getUser());
    const auto *phi = dyn_cast<PHINode>(user);
    return dominators.dominates(&exit, phi ? phi->getIncomingBlock(use) : user->getParent());
  }
  bool usedBehind(const Instruction &instruction) const {
    return any_of(instruction.uses(), [&](const Use &use) { return isBehind(use); });
  }
  bool usedInLoop(const Instruction &instruction) const {
    return any_of(instruction.users(),
                  [&](const User *user) { return loop.contains(cast<Instruction>(user)); });
  }

  /// Returns whether nothing needs to live through the loop for `value`. Asked before anything is made, so
  /// that nothing is made in vain.
  bool canRecompute(Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction)
      return true; // arguments lie in constant memory
    auto [known, isNew] = possible.try_emplace(instruction, false);
    if (!isNew)
      return known->second;
    const bool can = usedInLoop(*instruction) ||
                     (isCheap(*instruction) &&
                      all_of(instruction->operands(), [&](Value *operand) { return canRecompute(operand); }));
    return possible[instruction] = can;
  }

  /// Returns the equal of a value that can be recomputed, made in the exit block once.
  Value *recompute(Value *value) {
    if (isa<Constant>(value) || isa<MetadataAsValue>(value))
      return value;
    if (Value *made = copies.lookup(value))
      return made;
    auto *instruction = dyn_cast<Instruction>(value);
    Value *copy = nullptr;
    if (!instruction || usedInLoop(*instruction) || !specialRegister(value).empty())
      copy = again(value);
    else {
      SmallVector<Value *> operands;
      for (Value *operand : instruction->operands())
        operands.push_back(recompute(operand));
      Instruction *clone = instruction->clone();
      for (auto [number, operand] : enumerate(operands))
        clone->setOperand(number, operand);
      clone->insertBefore(place());
      copy = clone;
    }
    return copies[value] = copy;
  }

  /// Returns a copy of `value` that the backend does not know to be one. Truths and short numbers, of which
  /// no chain of addresses begins, are left as they are.
  Value *again(Value *value) {
    Type *type = value->getType();
    const unsigned bits = exit.getDataLayout().getTypeSizeInBits(type).getFixedValue();
    if (bits != 32 && bits != 64)
      return value;
    IRBuilder<> builder(&exit, place());
    const std::string special = specialRegister(value), letter = bits == 32 ? "r" : "l";
    if (!special.empty())
      return builder.CreateCall(InlineAsm::get(FunctionType::get(type, false), "mov.u32 $0, " + special + ";",
                                               "=r",
                                               /*hasSideEffects=*/true));
    return builder.CreateCall(InlineAsm::get(FunctionType::get(type, {type}, false),
                                             "mov.b" + std::to_string(bits) + " $0, $1;",
                                             "=" + letter + "," + letter,
                                             /*hasSideEffects=*/true),
                              {value});
  }

  /// Returns the place behind all that was made.
  BasicBlock::iterator place() {
    if (!last)
      last = &*exit.getFirstInsertionPt();
    return last->getIterator();
  }

  Loop &loop;
  BasicBlock &exit;
  const DominatorTree &dominators;
  Instruction *last = nullptr; ///< the first of the exit block that was there before
  DenseMap<Instruction *, bool> possible;
  DenseMap<Value *, Value *> copies;
};

} // namespace

PreservedAnalyses RecomputeAfterLoopsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  const auto &loops = analyses.getResult<LoopAnalysis>(function);
  // The last loop first, of which this is the order: what is needed behind two loops is made behind the
  // second. Not those in other loops, behind which it would be made in each round: the product of 128 by 256
  // with a bias, whose blocks run several programs, spilled with it on sm_90a, and did not without.
  for (Loop *loop : loops.getTopLevelLoops())
    if (BasicBlock *exit = loop->getUniqueExitBlock();
        exit && !loops.isLoopHeader(exit) && dominators.dominates(loop->getHeader(), exit))
      Recomputation(*loop, *exit, dominators).apply(function);
  return keepingFlow();
}

} // namespace tegula
