#include "compiler/driver/Pipeline.h"

#include "compiler/analysis/Passes.h"
#include "compiler/distribute/Passes.h"
#include "compiler/emit/Passes.h"
#include "compiler/lower/Passes.h"
#include "compiler/schedule/Passes.h"
#include "compiler/simplify/Passes.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tegula {

namespace {

/// Ends a stage: what it promises is checked in every build, since a promise broken is cheap to find here
/// and dear to find three stages later.
void verifyStageAtEnd(OpPassManager &pm, VerifiedStage stage) {
  VerifyStagePassOptions options;
  options.stage = stage;
  pm.addPass(createVerifyStagePass(options));
}

} // namespace

void buildSimplifyPipeline(OpPassManager &pm) {
  // 1. A loop that waits for others has an effect, which all that follows must see.
  pm.addPass(createKeepWaitsPass());
  // 2. Hints of the author count for a value, even if no op uses their result.
  pm.addPass(createPropagateHintsPass());
  // 3. The evaluator emits what the source says; folds of single ops and equal values go first, so that
  //    `combine` sees each value once. Unused and repeated results of unrolling cost the canonicalizer most.
  pm.addPass(createEraseUnusedPass());
  pm.addPass(createRollRepeatsPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // 4. What branches do alike is done once: the less has all that follows to do.
  pm.addPass(createMergeBranchesPass());
  // 5. Blocks of arrays are reached through pointers: all that follows knows only these.
  pm.addPass(createExpandViewsPass());
  // 6. Uniform work moves to scalars, steps of pointers add up, loads take over selections.
  pm.addPass(createCombinePass());
  // 7. Divisions of what is not negative need no signs.
  pm.addPass(createUnsignedDivisionsPass());
  // 8. All leave constants to fold and ops without users.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  verifyStageAtEnd(pm, VerifiedStage::Tile);
}

void buildDistributePipeline(OpPassManager &pm) {
  // 1. Simplify leaves no views, but a text that begins here may hold some.
  pm.addPass(createExpandViewsPass());
  // 2. How many warps and blocks a program has is settled, few or many: every layout depends on it.
  pm.addPass(createSpreadTensorsPass());
  pm.addPass(createPackProgramsPass());
  pm.addPass(createWidenProgramsPass());
  // 3. A loop may become the work of several blocks, of which each has its own part.
  pm.addPass(createSplitLoopsPass());
  // 4. What a launch should tell of arguments beyond what it did; while nothing stands between pointers and
  // accesses.
  pm.addPass(createFindFinerFactsPass());
  // 5. Accesses say which boxes of arrays they are: who makes them decides about layouts, too.
  pm.addPass(createFormBoxesPass());
  // 6. Every tensor gets some layout: correct and slow.
  pm.addPass(createAssignLayoutsPass());
  // 7. Products of matrices choose theirs, for the units that compute them,
  pm.addPass(createChooseMatrixUnitsPass());
  // 8. and so do memory accesses.
  pm.addPass(createCoalescePass());
  // 9. Everything else follows these two.
  pm.addPass(createRemoveConversionsPass());
  // 10. What several accesses ask for was made for each of them.
  pm.addPass(createCSEPass());
  verifyStageAtEnd(pm, VerifiedStage::Distributed);
}

void buildSchedulePipeline(OpPassManager &pm) {
  // 1. Invariants leave the loop: the less has to be repeated or kept in flight.
  pm.addPass(createHoistInvariantsPass());
  // 2. Bodies get their final size,
  pm.addPass(createUnrollLoopsPass());
  // 3. operands of their dots a place in shared memory,
  pm.addPass(createBufferOperandsPass());
  // 4. What runs ahead of what, and who does it, is decided for all loops at once, and carried out then:
  pm.addPass(createPlanLoopsPass());
  //    blocks that run several programs have a loop round all others,
  pm.addPass(createMakePersistentPass());
  //    those follow each other that need the same,
  pm.addPass(createOrderProgramsPass());
  //    such a loop those get, too, that change tables in shared memory before they change arrays,
  pm.addPass(createPrivatizeAtomicsPass());
  //    loads go to warps of their own,
  pm.addPass(createSpecializeWarpsPass());
  //    or some iterations ahead,
  pm.addPass(createPipelineLoopsPass());
  //    and products under the next iteration's arithmetic, or under that of their own.
  pm.addPass(createOverlapProductsPass());
  pm.addPass(createDeferWaitsPass());
  // 5. Reads of buffers stand where they remain: each dot takes them in steps.
  pm.addPass(createSplitDotsPass());
  // 6. What is left of shared memory is for results on their way out.
  pm.addPass(createStoreByTmaPass());
  // 7. Neighbouring blocks load for each other.
  pm.addPass(createMulticastLoadsPass());
  // 8. Unrolling and pipelining repeat the arithmetic of addresses.
  pm.addPass(createCSEPass());
  // 9. What repeats arithmetic on purpose comes after all that would merge it.
  pm.addPass(createPlanOccupancyPass());
  verifyStageAtEnd(pm, VerifiedStage::Scheduled);
}

void buildLowerPipeline(OpPassManager &pm) {
  // 1. Math functions become arithmetic: on tensors, before each becomes many scalars.
  pm.addPass(createExpandMathPass());
  // 2. What goes through shared memory gets a place there, and
  pm.addPass(createAllocateSharedPass());
  // 3. waits where two uses of a place could meet: while each use is still one op.
  pm.addPass(createPlaceBarriersPass());
  // 4. All that threads do together is to be seen.
  pm.addPass(createCheckBranchesPass());
  // 5. Tensors become registers of threads: layouts are final now.
  pm.addPass(createConvertTileToLLVMPass());
  // 6. Each layout brought its own index arithmetic; equal parts are shared before LLVM sees them.
  pm.addPass(createCSEPass());
  // 7. What is left is scalar.
  pm.addPass(createConvertScalarsToLLVMPass());
  // 8. Places in the source become `.loc` lines. Line tables would do too, but they mark the PTX as made
  //    for debugging, and ptxas then stops optimising.
  LLVM::DIScopeForLLVMFuncOpPassOptions lines;
  lines.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(lines));
  verifyStageAtEnd(pm, VerifiedStage::Llvm);
}

void registerTegulaDialects(DialectRegistry &registry) {
  registry
      .insert<tile::TileDialect, tgpu::TgpuDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect,
              func::FuncDialect, cf::ControlFlowDialect, LLVM::LLVMDialect, NVVM::NVVMDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

void registerTegulaPasses() {
  registerAnalysisPasses();
  registerSimplifyPasses();
  registerDistributePasses();
  registerSchedulePasses();
  registerLowerPasses();
  registerEmitPasses();
  registerTransformsPasses();
  arith::registerArithIntRangeOpts();
  PassPipelineRegistration<>("tegula-simplify", "the simplify stage: tile", buildSimplifyPipeline);
  PassPipelineRegistration<>("tegula-distribute", "the distribute stage: tile with layouts",
                             buildDistributePipeline);
  PassPipelineRegistration<>("tegula-schedule", "the schedule stage: loops keep loads in flight",
                             buildSchedulePipeline);
  PassPipelineRegistration<>("tegula-lower", "the lower stage: llvm and nvvm", buildLowerPipeline);
}

} // namespace tegula
