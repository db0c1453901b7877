#include "compiler/Pipeline.h"

#include "compiler/lower/Passes.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tegula {

void buildSimplifyPipeline(OpPassManager &pm) {}

void buildDistributePipeline(OpPassManager &pm) {}

void buildSchedulePipeline(OpPassManager &pm) {}

void buildLowerPipeline(OpPassManager &pm) {
  // 1. Tensors become registers of threads: layouts are final now.
  pm.addPass(createConvertTileToLLVMPass());
  // 2. Each layout brought its own index arithmetic; equal parts are shared before LLVM sees them.
  pm.addPass(createCSEPass());
  // 3. What is left is scalar.
  pm.addPass(createConvertScalarsToLLVMPass());
}

void registerTegulaDialects(DialectRegistry &registry) {
  registry.insert<tile::TileDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect, func::FuncDialect,
                  cf::ControlFlowDialect, LLVM::LLVMDialect, NVVM::NVVMDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

void registerTegulaPasses() {
  registerLowerPasses();
  registerTransformsPasses();
  PassPipelineRegistration<>("tegula-simplify", "the simplify stage: tile", buildSimplifyPipeline);
  PassPipelineRegistration<>("tegula-distribute", "the distribute stage: tile with layouts", buildDistributePipeline);
  PassPipelineRegistration<>("tegula-schedule", "the schedule stage: loops gain stages", buildSchedulePipeline);
  PassPipelineRegistration<>("tegula-lower", "the lower stage: llvm and nvvm", buildLowerPipeline);
}

} // namespace tegula
