// The pass `convert-scalars-to-llvm`: see Passes.td.
#include "compiler/lower/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_CONVERTSCALARSTOLLVMPASS
#include "compiler/lower/Passes.h.inc"

namespace {

/// An f32 op whose flags allow an approximation: the instruction that computes it.
template <typename Op> struct ApproximatePattern : OpConversionPattern<Op> {
  ApproximatePattern(const TypeConverter &types, MLIRContext *context, StringRef intrinsic)
      // Above the upstream patterns for the same op, which take the accurate forms.
      : OpConversionPattern<Op>(types, context, /*benefit=*/2), intrinsic(intrinsic) {}

  LogicalResult matchAndRewrite(Op op, typename OpConversionPattern<Op>::OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    bool approximate = arith::bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn);
    if (!approximate || !op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not an approximation in f32");
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(op, op.getType(), rewriter.getStringAttr(intrinsic),
                                                       adaptor.getOperands());
    return success();
  }

private:
  std::string intrinsic;
};

void populateApproximations(const TypeConverter &types, RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ApproximatePattern<arith::DivFOp>>(types, context, "llvm.nvvm.div.full");
  patterns.add<ApproximatePattern<math::SqrtOp>>(types, context, "llvm.nvvm.sqrt.approx.f");
  patterns.add<ApproximatePattern<math::RsqrtOp>>(types, context, "llvm.nvvm.rsqrt.approx.f");
  patterns.add<ApproximatePattern<math::Exp2Op>>(types, context, "llvm.nvvm.ex2.approx.f32");
  patterns.add<ApproximatePattern<math::Log2Op>>(types, context, "llvm.nvvm.lg2.approx.f");
  patterns.add<ApproximatePattern<math::SinOp>>(types, context, "llvm.nvvm.sin.approx.f");
  patterns.add<ApproximatePattern<math::CosOp>>(types, context, "llvm.nvvm.cos.approx.f");
}

struct ConvertScalarsToLLVM : impl::ConvertScalarsToLLVMPassBase<ConvertScalarsToLLVM> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LLVMTypeConverter types(context);
    ConversionTarget target(*context);
    target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
    target.addLegalOp<ModuleOp>();
    RewritePatternSet patterns(context);
    populateSCFToControlFlowConversionPatterns(patterns);
    cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
    arith::populateArithToLLVMConversionPatterns(types, patterns);
    populateMathToLLVMConversionPatterns(types, patterns);
    populateApproximations(types, patterns);

    ConversionConfig config;
    config.allowPatternRollback = false;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
} // namespace tegula
