// dot: by the unit that `choose-matrix-units` wrote on it.
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/plans/DotUnit.h"
#include "compiler/lower/code/DotCode.h"
#include "compiler/lower/patterns/Patterns.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

std::string textOf(const MatrixInstruction &instruction) {
  const MatrixShape &shape = instruction.shape;
  return llvm::formatv("m{0}n{1}k{2} on {3} and {4}, sums in {5}", shape.m, shape.n, shape.k,
                       std::string(nameOf(instruction.a)), std::string(nameOf(instruction.b)),
                       std::string(nameOf(instruction.sum)));
}

/// Tells how it is done.
void remarkOn(tile::DotOp op, const DotPlan &plan, const std::string &how, StringRef metric) {
  remark::RemarkOpts options = remark::RemarkOpts::name("dot").category("convert-tile-to-llvm");
  remark::passed(op.getLoc(), options)
      << remark::add("{0}", how) << remark::metric(metric, plan.steps.size())
      << remark::metric("FragmentsOfA", plan.a.size()) << remark::metric("FragmentsOfB", plan.b.size())
      << remark::metric("FragmentsOfSum", plan.sum.size());
}

/// Returns the form in which the unit of `op` is given its operands.
OperandForm formOfOperands(tile::DotOp op, const MatrixInstruction &instruction) {
  const Target *target = targetOf(op);
  if (target && multipliesWidened(op, *target))
    return OperandForm::Widened;
  return instruction.a == MatrixElement::TF32 && op.getPrecision() == tile::InputPrecision::TF32x3
             ? OperandForm::InThreeParts
             : OperandForm::Whole;
}

struct DotPattern : StatefulPattern<tile::DotOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tile::DotOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    DotLayouts layouts{tile::layoutOf(op.getAType()).getLayout(), tile::layoutOf(op.getBType()).getLayout(),
                       tile::layoutOf(op.getResultType()).getLayout(), state.executorOf(op).threadBits()};
    DotRegisters operands{adaptor.getA(), adaptor.getB(), adaptor.getAccumulator()};
    if (!op.getUnitAttr())
      return op.emitError("expected a unit on a dot: `choose-matrix-units` writes it");
    if (std::optional<MatrixInstruction> instruction = instructionOf(op)) {
      std::optional<DotPlan> plan = planMatrixDot(layouts, instruction->shape, bytesOf(instruction->a));
      if (!plan)
        return op.emitError() << "expected operands in the fragments of " << textOf(*instruction);
      const OperandForm form = formOfOperands(op, *instruction);
      remarkOn(op, *plan, textOf(*instruction) + (form == OperandForm::Widened ? ", widened to f16" : ""),
               "Instructions");
      rewriter.replaceOpWithMultiple(op, {emitMatrixDot(rewriter, loc, *plan, *instruction, form, operands)});
      return success();
    }
    std::optional<DotPlan> plan = planThreadDot(layouts);
    if (!plan)
      return op.emitError(
          "expected whole rows of the first operand and columns of the second in each thread");
    remarkOn(op, *plan, "each thread by itself", "Multiplications");
    rewriter.replaceOpWithMultiple(op, {emitThreadDot(rewriter, loc, *plan, operands)});
    return success();
  }
};

} // namespace

void populateDotPatterns(const TypeConverter &types, RewritePatternSet &patterns, LoweringState &state) {
  patterns.add<DotPattern>(types, patterns.getContext(), state);
}

} // namespace tegula
