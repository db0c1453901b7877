// pipeline_begin, pipeline_next, pipeline_previous, pipeline_slot, pipeline_phase: a state is two numbers,
// the slot and the parity of its phase.
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula {
namespace {

using arith::CmpIPredicate;

struct BeginPattern : OpConversionPattern<tgpu::PipelineBeginOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(tgpu::PipelineBeginOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> state{constant(rewriter, loc, 0), constant(rewriter, loc, op.getParity())};
    rewriter.replaceOpWithMultiple(op, {state});
    return success();
  }
};

/// A step forward or back: `wraps` where the slot is `last`, to `first`, and to the other phase.
template <typename Op> struct StepPattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto number = [&](int32_t value) { return constant(rewriter, loc, value); };
    const ValueRange state = adaptor.getState();
    const int32_t end = int32_t(op.getState().getType().getSlots());
    Value wraps, moved, first;
    if (std::is_same_v<Op, tgpu::PipelineNextOp>) {
      moved = arith::AddIOp::create(rewriter, loc, state[0], number(1));
      wraps = arith::CmpIOp::create(rewriter, loc, CmpIPredicate::eq, moved, number(end));
      first = number(0);
    } else {
      moved = arith::SubIOp::create(rewriter, loc, state[0], number(1));
      wraps = arith::CmpIOp::create(rewriter, loc, CmpIPredicate::eq, state[0], number(0));
      first = number(end - 1);
    }
    Value other = arith::XOrIOp::create(rewriter, loc, state[1], number(1));
    SmallVector<Value> made{arith::SelectOp::create(rewriter, loc, wraps, first, moved),
                            arith::SelectOp::create(rewriter, loc, wraps, other, state[1])};
    rewriter.replaceOpWithMultiple(op, {made});
    return success();
  }
};

template <typename Op, unsigned Part> struct PartPattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getState()[Part]);
    return success();
  }
};

} // namespace

void populatePipelinePatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<BeginPattern, StepPattern<tgpu::PipelineNextOp>, StepPattern<tgpu::PipelinePreviousOp>,
               PartPattern<tgpu::PipelineSlotOp, 0>, PartPattern<tgpu::PipelinePhaseOp, 1>>(
      types, patterns.getContext());
}

} // namespace tegula
