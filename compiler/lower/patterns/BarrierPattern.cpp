// barrier.
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tile/Tile.h"

using namespace mlir;

namespace tegula {
namespace {

struct BarrierPattern : OpConversionPattern<tile::BarrierOp> {
  BarrierPattern(const TypeConverter &types, MLIRContext *context, LoweringState &state)
      : OpConversionPattern(types, context), state(state) {}

  LogicalResult matchAndRewrite(tile::BarrierOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    emitBarrier(rewriter, op.getLoc(), state.executorOf(op));
    rewriter.eraseOp(op);
    return success();
  }

private:
  LoweringState &state;
};

} // namespace

void populateBarrierPatterns(const TypeConverter &types, RewritePatternSet &patterns, LoweringState &state) {
  patterns.add<BarrierPattern>(types, patterns.getContext(), state);
}

} // namespace tegula
