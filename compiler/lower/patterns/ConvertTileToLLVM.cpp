// The pass `convert-tile-to-llvm`: see Passes.td.
#include "compiler/analysis/resources/ScratchBytes.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/NameOps.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_CONVERTTILETOLLVMPASS
#include "compiler/lower/Passes.h.inc"

namespace {

struct ConvertTileToLLVM : impl::ConvertTileToLLVMPassBase<ConvertTileToLLVM> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    func::FuncOp kernel;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (!function->hasAttr("tile.kernel"))
        continue;
      // The state below is of one kernel: values made once would be those of another.
      if (kernel) {
        function.emitError("expected one kernel in a module, found a second");
        return signalPassFailure();
      }
      kernel = function;
    }
    if (!kernel) {
      module.emitError("expected a function marked `tile.kernel`");
      return signalPassFailure();
    }
    if (failed(verifyExternCalls(kernel)) || failed(hasScratch(kernel)))
      return signalPassFailure();
    SignTrust facts(module);
    LoweringState state(module, kernel, facts);
    state.widths = computeAccessWidths(module, facts.trusting());
    state.remarks.learn(module, facts.trusting());
    if (failed(verifyCopies(module, state.widths, state.executors)))
      return signalPassFailure();
    // Trust is for accesses, each of which is checked: a value is never computed otherwise for it, nor for a
    // hint; but it is loaded once where accesses have one address.
    state.equal = computeEqualRegisters(module, facts);

    MLIRContext *context = &getContext();
    ConversionTarget target(*context);
    target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
    target.addLegalOp<ModuleOp>();
    target.addIllegalDialect<tile::TileDialect, tgpu::TgpuDialect, func::FuncDialect>();
    target.addDynamicallyLegalOp<tile::DebugValueOp>([&](Operation *op) { return state.types.isLegal(op); });
    target.addDynamicallyLegalDialect<arith::ArithDialect, math::MathDialect>(
        [&](Operation *op) { return state.types.isLegal(op); });
    RewritePatternSet patterns(context);
    populateKernelPatterns(patterns, state);
    populateElementwisePatterns(patterns, state);
    populateFp8Patterns(patterns, state);
    populateShapePatterns(patterns, state);
    populateProgramPatterns(patterns, state);
    populateMemoryPatterns(patterns, state);
    populateAtomicPatterns(patterns, state);
    populateConvertLayoutPatterns(patterns, state);
    populateBufferPatterns(patterns, state);
    populateAsyncCopyPatterns(patterns, state);
    populateTmaPatterns(patterns, state);
    populateTmaStorePatterns(patterns, state);
    populateReducePatterns(patterns, state);
    populateScanPatterns(patterns, state);
    populateGatherPatterns(patterns, state);
    populateProductPatterns(patterns, state);
    populatePipelinePatterns(patterns, state);
    populateHintPatterns(patterns, state);
    populateOptBarrierPatterns(patterns, state);
    populateDevicePatterns(patterns, state);
    scf::populateSCFStructuralTypeConversionsAndLegality(state.types, patterns, target);

    ConversionConfig config;
    // With rollback the driver puts replacements in place when all is converted. Without, each op of several
    // registers asks for the last of them, and to know it renumbers its whole block: most of the time that a
    // long unrolled body takes.
    config.allowPatternRollback = true;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyFullConversion(module, target, std::move(patterns), config)))
      return signalPassFailure();
    state.signs.finish(context);
  }

private:
  /// Ops that need shared memory have it.
  static LogicalResult hasScratch(func::FuncOp kernel) {
    Executors executors(kernel);
    WalkResult walked = kernel.walk([&](Operation *op) {
      auto scratch = op->getAttrOfType<tile::ScratchAttr>("tile.scratch");
      uint64_t found = scratch ? scratch.getBytes() : 0, needed = scratchOf(op, executors.of(op)).bytes;
      if (found >= needed)
        return WalkResult::advance();
      op->emitError() << "expected " << needed << " bytes of shared memory, found " << found
                      << ": `allocate-shared` must have run";
      return WalkResult::interrupt();
    });
    return failure(walked.wasInterrupted());
  }
};

} // namespace
} // namespace tegula
