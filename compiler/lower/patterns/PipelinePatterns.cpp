// pipeline_begin, pipeline_next, pipeline_previous, pipeline_slot, pipeline_phase: a state is two numbers,
// the slot and the parity of its phase.
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula {
namespace {

using arith::CmpIPredicate;

Registers lowerBegin(tgpu::PipelineBeginOp op, Adaptor<tgpu::PipelineBeginOp>, Rewriter &rewriter,
                     LoweringState &) {
  return {constant(rewriter, op.getLoc(), 0), constant(rewriter, op.getLoc(), op.getParity())};
}

/// A step forward or back: `wraps` where the slot is `last`, to `first`, and to the other phase.
template <typename Op> Registers lowerStep(Op op, Adaptor<Op> adaptor, Rewriter &rewriter, LoweringState &) {
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
  return {arith::SelectOp::create(rewriter, loc, wraps, first, moved),
          arith::SelectOp::create(rewriter, loc, wraps, other, state[1])};
}

template <typename Op, unsigned Part> Value lowerPart(Op, Adaptor<Op> adaptor, Rewriter &, LoweringState &) {
  return adaptor.getState()[Part];
}

} // namespace

void populatePipelinePatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerBegin, lowerStep<tgpu::PipelineNextOp>, lowerStep<tgpu::PipelinePreviousOp>,
               lowerPart<tgpu::PipelineSlotOp, 0>, lowerPart<tgpu::PipelinePhaseOp, 1>>(patterns, state);
}

} // namespace tegula
