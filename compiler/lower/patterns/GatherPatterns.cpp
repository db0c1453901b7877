// gather: the source goes to shared memory, where each thread picks its elements; histogram: threads add to
// counts in shared memory.
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/AtomicCode.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/lower/patterns/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula {
namespace {

/// In 32 bits, and below `side` whatever it is: what it picks beyond is undefined, but lies in the buffer.
Value indexOf(OpBuilder &builder, Location loc, Value index, uint32_t side) {
  unsigned bits = index.getType().getIntOrFloatBitWidth();
  if (bits > 32)
    index = arith::TruncIOp::create(builder, loc, builder.getI32Type(), index);
  else if (bits < 32)
    index = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), index);
  return arith::AndIOp::create(builder, loc, index, constant(builder, loc, side - 1));
}

Registers lowerGather(tile::GatherOp op, Adaptor<tile::GatherOp> adaptor, Rewriter &rewriter,
                      LoweringState &state) {
  Location loc = op.getLoc();
  Executor executor = state.executorOf(op);
  GatherPlan plan = planOf(op, executor);
  ThreadIndex &threads = state.threadsOf(op);
  Value buffer = state.scratchOf(rewriter, op);
  storeToShared(rewriter, loc, plan.store, buffer, adaptor.getSource(), threads);
  emitBarrier(rewriter, loc, executor);
  Value own = threads.linear(rewriter, plan.threadOffsets);
  Registers result;
  for (auto [index, offset] : llvm::zip_equal(adaptor.getIndices(), plan.offsets)) {
    Value place = combine(rewriter, loc, own, plan.threadOffsets, offset);
    Value step = arith::MulIOp::create(rewriter, loc, indexOf(rewriter, loc, index, plan.side),
                                       constant(rewriter, loc, plan.stride));
    result.push_back(loadElement(rewriter, loc, buffer, arith::AddIOp::create(rewriter, loc, place, step),
                                 loweredElementType(op.getType())));
  }
  return result;
}

/// Adds one where `number` is counted at all.
void addOne(OpBuilder &builder, Location loc, Value buffer, const HistogramPlan &plan, Value number,
            Value predicate) {
  Value isPlace = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number,
                                        constant(builder, loc, plan.places));
  Type i32 = builder.getI32Type();
  Value address =
      LLVM::GEPOp::create(builder, loc, buffer.getType(), i32, buffer, ArrayRef<LLVM::GEPArg>{number});
  emitAtomic(builder, loc, address, sharedAtomic(tile::AtomicKind::Add, i32),
             bothHold(builder, loc, predicate, isPlace), constant(builder, loc, 1));
}

Registers lowerHistogram(tile::HistogramOp op, Adaptor<tile::HistogramOp> adaptor, Rewriter &rewriter,
                         LoweringState &state) {
  Location loc = op.getLoc();
  Executor executor = state.executorOf(op);
  HistogramPlan plan = planOf(op, executor);
  ThreadIndex &threads = state.threadsOf(op);
  Value buffer = state.scratchOf(rewriter, op);
  Registers zeros(plan.counts.original.size(), constant(rewriter, loc, 0));
  storeToShared(rewriter, loc, plan.counts, buffer, zeros, threads);
  emitBarrier(rewriter, loc, executor);
  Value owner = threads.noneOf(rewriter, plan.source.copyBits);
  for (const std::vector<uint32_t> &vector : plan.source.vectors) {
    uint32_t reg = vector.front();
    Value mask = op.getMask() ? adaptor.getMask()[reg] : Value();
    addOne(rewriter, loc, buffer, plan, adaptor.getSource()[reg], bothHold(rewriter, loc, owner, mask));
  }
  emitBarrier(rewriter, loc, executor);
  return loadFromShared(rewriter, loc, plan.counts, buffer, rewriter.getI32Type(), threads);
}

} // namespace

void populateGatherPatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerGather, lowerHistogram>(patterns, state);
}

} // namespace tegula
