#include "compiler/emit/KeepProductLoops.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace tegula {
namespace {

bool isProduct(const Instruction &instruction) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  return call && call->isInlineAsm() &&
         StringRef(cast<InlineAsm>(call->getCalledOperand())->getAsmString()).contains("wgmma.mma_async");
}

} // namespace

PreservedAnalyses KeepProductLoopsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (any_of(loop->blocks(), [](const BasicBlock *block) { return any_of(*block, isProduct); }))
      loop->setLoopAlreadyUnrolled();
  return PreservedAnalyses::all(); // metadata alone
}

} // namespace tegula
