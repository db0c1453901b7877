// gather: the source goes to shared memory, where each thread picks its elements.
#include "compiler/analysis/OpPlans.h"
#include "compiler/lower/Symbols.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/ExchangeCode.h"
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
      picked.push_back(load(rewriter, loc, buffer, arith::AddIOp::create(rewriter, loc, place, step),
                            loweredElementType(op.getType())));
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{picked});
    return success();
  }

private:
  static Value constant(OpBuilder &builder, Location loc, uint32_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(value)));
  }

  /// In 32 bits, and below `side` whatever it is: what it picks beyond is undefined, but lies in the buffer.
  static Value indexOf(OpBuilder &builder, Location loc, Value index, uint32_t side) {
    unsigned bits = index.getType().getIntOrFloatBitWidth();
    if (bits > 32)
      index = arith::TruncIOp::create(builder, loc, builder.getI32Type(), index);
    else if (bits < 32)
      index = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), index);
    return arith::AndIOp::create(builder, loc, index, constant(builder, loc, side - 1));
  }

  static Value load(OpBuilder &builder, Location loc, Value buffer, Value offset, Type element) {
    bool isTruth = element.isInteger(1);
    Type stored = isTruth ? Type(builder.getI8Type()) : element;
    Value address = LLVM::GEPOp::create(builder, loc, buffer.getType(), builder.getI8Type(), buffer,
                                        ArrayRef<LLVM::GEPArg>{offset});
    AccessShape shape;
    shape.wordBits = elementBitsOf(stored);
    shape.addressSpace = SharedAddressSpace;
    SmallVector<Value> words = emitLoad(builder, loc, address, shape, Value(), {});
    Value value = unpackWords(builder, loc, words, stored).front();
    return isTruth ? Value(arith::TruncIOp::create(builder, loc, element, value)) : value;
  }
};

} // namespace

void populateGatherPatterns(const TypeConverter &types, RewritePatternSet &patterns, LoweringState &state) {
  patterns.add<GatherPattern>(types, patterns.getContext(), state);
}

} // namespace tegula
