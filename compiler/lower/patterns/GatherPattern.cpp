// gather: the source goes to shared memory, where each thread picks its elements.
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/lower/patterns/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula {
namespace {

struct GatherPattern : StatefulPattern<tile::GatherOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tile::GatherOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Executor executor = state.executorOf(op);
    GatherPlan plan = planOf(op, executor);
    ThreadIndex &threads = state.threadsOf(op);
    Value buffer = state.scratchOf(rewriter, op);
    storeToShared(rewriter, loc, plan.store, buffer, adaptor.getSource(), threads);
    emitBarrier(rewriter, loc, executor);
    Value own = threads.linear(rewriter, plan.threadOffsets);
    SmallVector<Value> picked;
    for (auto [index, offset] : llvm::zip_equal(adaptor.getIndices(), plan.offsets)) {
      Value place = combine(rewriter, loc, own, plan.threadOffsets, offset);
      Value step = arith::MulIOp::create(rewriter, loc, indexOf(rewriter, loc, index, plan.side),
                                         constant(rewriter, loc, plan.stride));
      picked.push_back(loadElement(rewriter, loc, buffer, arith::AddIOp::create(rewriter, loc, place, step),
                                   loweredElementType(op.getType())));
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{picked});
    return success();
  }

private:
  /// In 32 bits, and below `side` whatever it is: what it picks beyond is undefined, but lies in the buffer.
  static Value indexOf(OpBuilder &builder, Location loc, Value index, uint32_t side) {
    unsigned bits = index.getType().getIntOrFloatBitWidth();
    if (bits > 32)
      index = arith::TruncIOp::create(builder, loc, builder.getI32Type(), index);
    else if (bits < 32)
      index = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), index);
    return arith::AndIOp::create(builder, loc, index, constant(builder, loc, side - 1));
  }
};

} // namespace

void populateGatherPatterns(const TypeConverter &types, RewritePatternSet &patterns, LoweringState &state) {
  patterns.add<GatherPattern>(types, patterns.getContext(), state);
}

} // namespace tegula
