// The pass `convert-tile-to-llvm`: see Passes.td.
#include "compiler/lower/Passes.h"
#include "compiler/lower/Patterns.h"
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
    for (auto function : module.getOps<func::FuncOp>())
      if (function->hasAttr("tile.kernel"))
        kernel = function;
    if (!kernel) {
      module.emitError("expected a function marked `tile.kernel`");
      return signalPassFailure();
    }
    LoweringState state(module, kernel->getAttrOfType<tile::KernelAttr>("tile.kernel").getWarps());
    state.widths = computeAccessWidths(module);

    TileTypeConverter types;
    MLIRContext *context = &getContext();
    ConversionTarget target(*context);
    target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
    target.addLegalOp<ModuleOp>();
    target.addIllegalDialect<tile::TileDialect, func::FuncDialect>();
    target.addDynamicallyLegalDialect<arith::ArithDialect, math::MathDialect>(
        [&](Operation *op) { return types.isLegal(op); });
    RewritePatternSet patterns(context);
    populateKernelPatterns(types, patterns, state);
    populateElementwisePatterns(types, patterns);
    populateShapePatterns(types, patterns, state);
    populateMemoryPatterns(types, patterns, state);
    populateConvertLayoutPatterns(types, patterns, state);
    populateHintPatterns(types, patterns, state);
    scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);

    ConversionConfig config;
    // Without rollback the driver replaces at once and keeps no journal. No pattern here fails after it
    // has changed something, which is what rollback would be for.
    config.allowPatternRollback = false;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyFullConversion(module, target, std::move(patterns), config)))
      return signalPassFailure();
    state.shared.finish();
  }
};

} // namespace
} // namespace tegula
