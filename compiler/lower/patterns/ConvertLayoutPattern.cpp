// convert_layout and butterfly: carry out what `planConversion` and `planButterfly` decide.
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/lower/code/ShuffleRegisters.h"
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
      result = shuffleRegisters(rewriter, loc, plan.shuffle, adaptor.getSource(), state.threadsOf(op));
      break;
    case ConversionPlan::Shared:
      result = throughMemory(op, plan.shared, adaptor.getSource(), rewriter);
      break;
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<Registers>{result});
    return success();
  }

private:
  Registers throughMemory(Op op, const RoundTripPlan &plan, ValueRange source,
                          ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    Executor executor = state.executorOf(op);
    const bool isLocal = plan.withinWarp && !executor.isOneWarp();
    auto barrier = [&] { isLocal ? emitWarpBarrier(rewriter, loc) : emitBarrier(rewriter, loc, executor); };
    // In a loop a warp follows itself: `place-barriers` sees to the other warps only.
    if (isLocal && op->template getParentOfType<LoopLikeOpInterface>())
      emitWarpBarrier(rewriter, loc);
    Value buffer = state.scratchOf(rewriter, op);
    Type element = loweredElementType(op.getType());
    auto moved = [&](ValueRange registers) {
      storeToShared(rewriter, loc, plan.store, buffer, registers, state.threadsOf(op));
      barrier();
      return loadFromShared(rewriter, loc, plan.load, buffer, element, state.threadsOf(op));
    };
    if (plan.parts.empty())
      return moved(source);
    Registers result(tile::layoutOf(op.getType()).getLayout().inSize(Dim::Register));
    for (const RoundTripPart &part : plan.parts) {
      if (&part != &plan.parts.front())
        barrier(); // the part before has been read
      Registers stored;
      for (uint32_t reg : part.stored)
        stored.push_back(source[reg]);
      Registers loaded = moved(stored);
      for (auto [reg, from] : part.results)
        result[reg] = loaded[from];
    }
    return result;
  }
};

} // namespace

void populateConvertLayoutPatterns(const TypeConverter &types, RewritePatternSet &patterns,
                                   LoweringState &state) {
  patterns.add<MovePattern<tile::ConvertLayoutOp>, MovePattern<tile::ButterflyOp>>(
      types, patterns.getContext(), state);
}

} // namespace tegula
