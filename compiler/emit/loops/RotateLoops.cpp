#include "compiler/emit/FunctionPasses.h"

#include "llvm/Transforms/Scalar/LoopRotation.h"

using namespace llvm;

namespace tegula {

/// The instructions of a loop in which a branch is noticed.
static constexpr unsigned MostInstructions = 150;

PreservedAnalyses RotateLoopsPass::run(Loop &loop, LoopAnalysisManager &analyses,
                                       LoopStandardAnalysisResults &results, LPMUpdater &updater) {
  unsigned instructions = 0;
  for (const BasicBlock *block : loop.blocks())
    instructions += block->size();
  if (instructions > MostInstructions)
    return PreservedAnalyses::all();
  return LoopRotatePass(/*EnableHeaderDuplication=*/true, /*PrepareForLTO=*/false)
      .run(loop, analyses, results, updater);
}

} // namespace tegula
