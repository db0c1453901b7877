#include "compiler/emit/AssemblyText.h"
#include "compiler/emit/FunctionPasses.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace tegula {
namespace {

/// Returns whether `instruction` is a multiplication that a thread does by itself.
bool isMultiplication(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call ? call->getIntrinsicID() == Intrinsic::fma : instruction.getOpcode() == Instruction::Mul;
}

/// The number of them in a row that hides what a loop costs.
constexpr int64_t MultiplicationsInRow = 256;

/// Returns whether `loop` computes a part of a long product in each iteration: it counts to a number that is
/// known.
bool isOfRounds(const Loop &loop, Function &function, FunctionAnalysisManager &analyses) {
  if (!loop.isInnermost())
    return false;
  int64_t multiplications = 0;
  for (const BasicBlock *block : loop.blocks())
    multiplications += count_if(*block, isMultiplication);
  return multiplications >= MultiplicationsInRow &&
         analyses.getResult<ScalarEvolutionAnalysis>(function).getSmallConstantTripCount(&loop);
}

} // namespace

PreservedAnalyses KeepProductLoopsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (any_of(loop->blocks(), [](const BasicBlock *block) { return any_of(*block, isGroupProduct); }) ||
        isOfRounds(*loop, function, analyses))
      loop->setLoopAlreadyUnrolled();
  return PreservedAnalyses::all(); // metadata alone
}

} // namespace tegula
