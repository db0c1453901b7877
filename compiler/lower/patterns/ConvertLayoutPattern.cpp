// convert_layout and butterfly: carry out what `planConversion` and `planButterfly` decide.
#include "compiler/analysis/OpPlans.h"
#include "compiler/lower/code/ExchangeCode.h"
#include "compiler/lower/code/LaneExchange.h"
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tile/Tile.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tegula {
namespace {

using Registers = SmallVector<Value>;

template <typename Op> struct MovePattern : StatefulPattern<Op> {
  using StatefulPattern<Op>::StatefulPattern;
  using StatefulPattern<Op>::state;
  using Adaptor = typename StatefulPattern<Op>::OneToNOpAdaptor;

  LogicalResult matchAndRewrite(Op op, Adaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ConversionPlan plan = planOf(op, state.executorOf(op));
    Registers result;
    switch (plan.kind) {
    case ConversionPlan::Registers:
      for (uint32_t reg : plan.registers)
        result.push_back(adaptor.getSource()[reg]);
      break;
    case ConversionPlan::Shuffle:
      result = LaneExchange(rewriter, loc).carryOut(plan.shuffle, adaptor.getSource(), state.threadsOf(op));
      break;
    case ConversionPlan::Shared: {
      Executor executor = state.executorOf(op);
      bool isLocal = plan.shared.withinWarp && !executor.isOneWarp();
      // In a loop a warp follows itself: `place-barriers` sees to the other warps only.
      if (isLocal && op->template getParentOfType<LoopLikeOpInterface>())
        emitWarpBarrier(rewriter, loc);
      Value buffer = state.scratchOf(rewriter, op);
      storeToShared(rewriter, loc, plan.shared.store, buffer, adaptor.getSource(), state.threadsOf(op));
      if (isLocal)
        emitWarpBarrier(rewriter, loc);
      else
        emitBarrier(rewriter, loc, executor);
      result = loadFromShared(rewriter, loc, plan.shared.load, buffer, loweredElementType(op.getType()),
                              state.threadsOf(op));
      break;
    }
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<Registers>{result});
    return success();
  }
};

} // namespace

void populateConvertLayoutPatterns(const TypeConverter &types, RewritePatternSet &patterns,
                                   LoweringState &state) {
  patterns.add<MovePattern<tile::ConvertLayoutOp>, MovePattern<tile::ButterflyOp>>(
      types, patterns.getContext(), state);
}

} // namespace tegula
