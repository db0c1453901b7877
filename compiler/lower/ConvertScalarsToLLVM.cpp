// The pass `convert-scalars-to-llvm`: see Passes.td.
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/code/InlinePtx.h"
#include "compiler/target/Target.h"
#include "dialect/tile/NameOps.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_CONVERTSCALARSTOLLVMPASS
#include "compiler/lower/Passes.h.inc"

namespace {

/// True for an f32 op whose flags allow an approximation.
bool isApproximate(Operation *op) {
  auto flagged = dyn_cast<arith::ArithFastMathInterface>(op);
  return flagged && op->getResult(0).getType().isF32() &&
         arith::bitEnumContainsAll(flagged.getFastMathFlagsAttr().getValue(), arith::FastMathFlags::afn);
}

Value intrinsic(OpBuilder &builder, Location loc, StringRef name, Type type, Value value) {
  return LLVM::CallIntrinsicOp::create(builder, loc, type, builder.getStringAttr(name), value).getResult(0);
}

/// Such an op becomes the instruction that computes it.
template <typename Op> struct ApproximatePattern : OpConversionPattern<Op> {
  ApproximatePattern(const TypeConverter &types, MLIRContext *context, StringRef intrinsic)
      // Above the upstream patterns for the same op, which take the accurate forms.
      : OpConversionPattern<Op>(types, context, /*benefit=*/2), intrinsic(intrinsic) {}

  LogicalResult matchAndRewrite(Op op, typename OpConversionPattern<Op>::OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isApproximate(op))
      return rewriter.notifyMatchFailure(op, "not an approximation in f32");
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(op, op.getType(), rewriter.getStringAttr(intrinsic),
                                                       adaptor.getOperands());
    return success();
  }

private:
  std::string intrinsic;
};

/// Divided by a number it is multiplied by the number's reciprocal: off by one and a half units where
/// `div.full`, eight instructions, is off by two.
struct ReciprocalPattern : OpConversionPattern<arith::DivFOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(arith::DivFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    APFloat reciprocal(1.0f), divisor(1.0f);
    if (!isApproximate(op) || !matchPattern(op.getRhs(), m_ConstantFloat(&divisor)))
      return rewriter.notifyMatchFailure(op, "not an approximate quotient by a number");
    reciprocal.divide(divisor, APFloat::rmNearestTiesToEven);
    if (!divisor.isNormal() || !reciprocal.isNormal())
      return rewriter.notifyMatchFailure(op, "a reciprocal with fewer bits");
    Value number = LLVM::ConstantOp::create(rewriter, op.getLoc(), op.getType(),
                                            rewriter.getFloatAttr(op.getType(), reciprocal));
    rewriter.replaceOpWithNewOp<LLVM::FMulOp>(op, adaptor.getLhs(), number);
    return success();
  }
};

/// A narrowing that states how it rounds. Upstream makes a constrained intrinsic of it, which the backend
/// either rounds to nearest all the same or aborts on.
struct RoundedTruncPattern : OpConversionPattern<arith::TruncFOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::optional<arith::RoundingMode> mode = op.getRoundingmode();
    if (!mode)
      return rewriter.notifyMatchFailure(op, "no rounding stated");
    Type type = op.getType();
    bool isNarrow = type.isF16() || type.isBF16();
    if (*mode == arith::RoundingMode::to_nearest_even) {
      rewriter.replaceOpWithNewOp<LLVM::FPTruncOp>(op, type, adaptor.getIn());
      return success();
    }
    if (*mode != arith::RoundingMode::toward_zero || !(isNarrow || type.isF32()))
      return rewriter.notifyMatchFailure(op, "no instruction rounds so");
    Location loc = op.getLoc();
    Value value = adaptor.getIn();
    // Cutting twice is cutting once, so f64 may go through f32.
    if (value.getType().isF64())
      value = intrinsic(rewriter, loc, "llvm.nvvm.d2f.rz", rewriter.getF32Type(), value);
    if (type.isBF16())
      value = cutToBFloat(rewriter, loc, value, targetOf(op));
    else if (type.isF16()) {
      InlinePtx ptx(rewriter, loc);
      std::string half = ptx.result(type), single = ptx.operand(value);
      value = ptx.emit("cvt.rz.f16.f32 " + half + ", " + single + ";", /*hasSideEffects=*/false).front();
    }
    rewriter.replaceOp(op, value);
    return success();
  }

private:
  /// An f32 without its lower half. Where no instruction does that, a NaN whose digits are all there has to
  /// remain one.
  static Value cutToBFloat(OpBuilder &builder, Location loc, Value value, const Target *target) {
    Type bf16 = builder.getBF16Type(), i32 = builder.getI32Type(), i16 = builder.getI16Type();
    if (!target || target->bf16Conversions)
      return intrinsic(builder, loc, "llvm.nvvm.f2bf16.rz", bf16, value);
    auto integer = [&](Type type, int64_t number) {
      return LLVM::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, number));
    };
    Value bits = LLVM::BitcastOp::create(builder, loc, i32, value);
    Value upper = LLVM::LShrOp::create(builder, loc, bits, integer(i32, 16));
    Value cut = LLVM::TruncOp::create(builder, loc, i16, upper);
    Value isNan = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::uno, value, value);
    Value kept = LLVM::SelectOp::create(builder, loc, isNan, integer(i16, 0x7fff), cut);
    return LLVM::BitcastOp::create(builder, loc, bf16, kept);
  }
};

/// An integer of more bits than f32 keeps, to bf16 where no instruction does it: by way of f32, cut off, with
/// its last bit set where something was lost. So the second rounding sees what the first one dropped, and is
/// the only one.
template <typename Op> struct IntegerToBFloatPattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult matchAndRewrite(Op op, typename OpConversionPattern<Op>::OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    constexpr bool isSigned = std::is_same_v<Op, arith::SIToFPOp>;
    Value number = adaptor.getIn();
    const Target *target = targetOf(op);
    const unsigned bits = number.getType().getIntOrFloatBitWidth();
    if (!op.getType().isBF16() || (bits != 32 && bits != 64) || !target || target->bf16Arithmetic)
      return rewriter.notifyMatchFailure(op, "one instruction, or exact in f32");
    Location loc = op.getLoc();
    Type f32 = rewriter.getF32Type(), i32 = rewriter.getI32Type();
    StringRef name = bits == 32 ? (isSigned ? "llvm.nvvm.i2f.rz" : "llvm.nvvm.ui2f.rz")
                                : (isSigned ? "llvm.nvvm.ll2f.rz" : "llvm.nvvm.ull2f.rz");
    Value cut = intrinsic(rewriter, loc, name, f32, number);
    using Back = std::conditional_t<isSigned, LLVM::FPToSIOp, LLVM::FPToUIOp>;
    Value back = Back::create(rewriter, loc, number.getType(), cut);
    Value lost = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ne, back, number);
    Value sticky = LLVM::ZExtOp::create(rewriter, loc, i32, lost);
    Value odd = LLVM::OrOp::create(rewriter, loc, LLVM::BitcastOp::create(rewriter, loc, i32, cut), sticky);
    rewriter.replaceOpWithNewOp<LLVM::FPTruncOp>(op, op.getType(),
                                                 LLVM::BitcastOp::create(rewriter, loc, f32, odd));
    return success();
  }
};

/// e^x as 2^(x log2 e) by the instruction that keeps subnormal results, which `exp2` by itself does not ask
/// for.
struct ApproximateExpPattern : OpConversionPattern<math::ExpOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(math::ExpOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isApproximate(op))
      return rewriter.notifyMatchFailure(op, "not an approximation in f32");
    Location loc = op.getLoc();
    Value scale = LLVM::ConstantOp::create(rewriter, loc, op.getType(),
                                           rewriter.getF32FloatAttr(llvm::numbers::log2ef));
    Value power = LLVM::FMulOp::create(rewriter, loc, adaptor.getOperand(), scale);
    rewriter.replaceOp(op, intrinsic(rewriter, loc, "llvm.nvvm.ex2.approx.f32", op.getType(), power));
    return success();
  }
};

/// Returns whether the backend has code for `op` of `math`. It ends the process over some of the others, so
/// none of them may reach it.
bool hasInstruction(Operation *op) {
  if (isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp, math::CountLeadingZerosOp,
          math::CountTrailingZerosOp, math::CtPopOp, math::FloorOp, math::FmaOp, math::RoundOp,
          math::RoundEvenOp, math::TruncOp>(op))
    return true;
  if (isa<math::SqrtOp>(op))
    return op->getResult(0).getType().isF32() || op->getResult(0).getType().isF64();
  return isa<math::RsqrtOp, math::ExpOp, math::Exp2Op, math::Log2Op, math::SinOp, math::CosOp>(op) &&
         isApproximate(op);
}

void populateApproximations(const TypeConverter &types, RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ApproximatePattern<arith::DivFOp>>(types, context, "llvm.nvvm.div.full");
  patterns.add<ReciprocalPattern>(types, context, /*benefit=*/3);
  // Without `.ftz` the assembler adds three instructions to each, for the sake of numbers below 2^-126, which
  // the language's functions of these names take for zero.
  patterns.add<ApproximatePattern<math::SqrtOp>>(types, context, "llvm.nvvm.sqrt.approx.ftz.f");
  patterns.add<ApproximatePattern<math::RsqrtOp>>(types, context, "llvm.nvvm.rsqrt.approx.ftz.f");
  patterns.add<ApproximatePattern<math::Exp2Op>>(types, context, "llvm.nvvm.ex2.approx.ftz.f32");
  patterns.add<ApproximatePattern<math::Log2Op>>(types, context, "llvm.nvvm.lg2.approx.f");
  patterns.add<ApproximatePattern<math::SinOp>>(types, context, "llvm.nvvm.sin.approx.f");
  patterns.add<ApproximatePattern<math::CosOp>>(types, context, "llvm.nvvm.cos.approx.f");
}

struct ConvertScalarsToLLVM : impl::ConvertScalarsToLLVMPassBase<ConvertScalarsToLLVM> {
  void runOnOperation() override {
    WalkResult checked = getOperation()->walk([](Operation *op) {
      if (!isa<math::MathDialect>(op->getDialect()) || hasInstruction(op))
        return WalkResult::advance();
      op->emitOpError("expected `expand-math` to have replaced it");
      return WalkResult::interrupt();
    });
    if (checked.wasInterrupted())
      return signalPassFailure();
    MLIRContext *context = &getContext();
    LLVMTypeConverter types(context);
    ConversionTarget target(*context);
    target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
    target.addLegalOp<ModuleOp, tile::DebugValueOp>();
    RewritePatternSet patterns(context);
    populateSCFToControlFlowConversionPatterns(patterns);
    cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
    arith::populateArithToLLVMConversionPatterns(types, patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    populateMathToLLVMConversionPatterns(types, patterns);
    populateApproximations(types, patterns);
    patterns.add<RoundedTruncPattern, ApproximateExpPattern, IntegerToBFloatPattern<arith::SIToFPOp>,
                 IntegerToBFloatPattern<arith::UIToFPOp>>(types, context, /*benefit=*/2);

    ConversionConfig config;
    config.allowPatternRollback = false;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
} // namespace tegula
