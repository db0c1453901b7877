// histogram: threads add to counts in shared memory.
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/lower/Symbols.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/AtomicCode.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/lower/patterns/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula {
namespace {

struct HistogramPattern : StatefulPattern<tile::HistogramOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tile::HistogramOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Executor executor = state.executorOf(op);
    HistogramPlan plan = planOf(op, executor);
    ThreadIndex &threads = state.threadsOf(op);
    Value buffer = state.scratchOf(rewriter, op);
    SmallVector<Value> zeros(plan.counts.original.size(), constant(rewriter, loc, 0));
    storeToShared(rewriter, loc, plan.counts, buffer, zeros, threads);
    emitBarrier(rewriter, loc, executor);
    Value owner = threads.noneOf(rewriter, plan.source.copyBits);
    for (const std::vector<uint32_t> &vector : plan.source.vectors) {
      uint32_t reg = vector.front();
      Value mask = op.getMask() ? adaptor.getMask()[reg] : Value();
      addOne(rewriter, loc, buffer, plan, adaptor.getSource()[reg], bothHold(rewriter, loc, owner, mask));
    }
    emitBarrier(rewriter, loc, executor);
    SmallVector<Value> counts =
        loadFromShared(rewriter, loc, plan.counts, buffer, rewriter.getI32Type(), threads);
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{counts});
    return success();
  }

private:
  /// Adds one where `number` is counted at all.
  static void addOne(OpBuilder &builder, Location loc, Value buffer, const HistogramPlan &plan, Value number,
                     Value predicate) {
    Value isPlace = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number,
                                          constant(builder, loc, plan.places));
    Value address = LLVM::GEPOp::create(builder, loc, buffer.getType(), builder.getI32Type(), buffer,
                                        ArrayRef<LLVM::GEPArg>{number});
    AtomicShape shape;
    shape.operation = operationOf(tile::AtomicKind::Add, builder.getI32Type());
    shape.scope = tile::MemoryScope::Block;
    shape.addressSpace = SharedAddressSpace;
    shape.returns = false;
    emitAtomic(builder, loc, address, shape, bothHold(builder, loc, predicate, isPlace),
               constant(builder, loc, 1));
  }
};

} // namespace

void populateHistogramPatterns(const TypeConverter &types, RewritePatternSet &patterns,
                               LoweringState &state) {
  patterns.add<HistogramPattern>(types, patterns.getContext(), state);
}

} // namespace tegula
