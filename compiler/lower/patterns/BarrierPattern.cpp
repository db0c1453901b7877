// barrier.
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tile/Tile.h"

using namespace mlir;

namespace tegula {
namespace {

struct BarrierPattern : StatefulPattern<tile::BarrierOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tile::BarrierOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    emitBarrier(rewriter, op.getLoc(), state.executorOf(op));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateBarrierPatterns(const TypeConverter &types, RewritePatternSet &patterns, LoweringState &state) {
  patterns.add<BarrierPattern>(types, patterns.getContext(), state);
}

} // namespace tegula
