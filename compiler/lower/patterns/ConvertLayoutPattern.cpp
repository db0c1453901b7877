// convert_layout and butterfly: carry out what `planConversion` and `planButterfly` decide.
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/lower/code/ShuffleRegisters.h"
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tile/Tile.h"

using namespace mlir;

namespace tegula {
namespace {

Registers throughMemory(Operation *op, RankedTensorType type, const RoundTripPlan &plan, ValueRange source,
                        Rewriter &rewriter, LoweringState &state) {
  Location loc = op->getLoc();
  Executor executor = state.executorOf(op);
  const bool isLocal = plan.withinWarp && !executor.isOneWarp();
  auto barrier = [&] { isLocal ? emitWarpBarrier(rewriter, loc) : emitBarrier(rewriter, loc, executor); };
  // In a loop a warp follows itself: `place-barriers` sees to the other warps only.
  if (isLocal && op->getParentOfType<LoopLikeOpInterface>())
    emitWarpBarrier(rewriter, loc);
  Value buffer = state.scratchOf(rewriter, op);
  Type element = loweredElementType(type);
  auto moved = [&](ValueRange registers) {
    storeToShared(rewriter, loc, plan.store, buffer, registers, state.threadsOf(op));
    barrier();
    return loadFromShared(rewriter, loc, plan.load, buffer, element, state.threadsOf(op));
  };
  if (plan.parts.empty())
    return moved(source);
  Registers result(tile::layoutOf(type).getLayout().inSize(Dim::Register));
  for (const RoundTripPart &part : plan.parts) {
    if (&part != &plan.parts.front())
      barrier(); // the part before has been read
    Registers loaded = moved(picked(source, part.stored));
    for (auto [reg, from] : part.results)
      result[reg] = loaded[from];
  }
  return result;
}

template <typename Op>
Registers lowerMove(Op op, Adaptor<Op> adaptor, Rewriter &rewriter, LoweringState &state) {
  ConversionPlan plan = planOf(op, state.executorOf(op));
  switch (plan.kind) {
  case ConversionPlan::Registers:
    return picked(adaptor.getSource(), plan.registers);
  case ConversionPlan::Shuffle:
    return shuffleRegisters(rewriter, op.getLoc(), plan.shuffle, adaptor.getSource(), state.threadsOf(op));
  case ConversionPlan::Shared:
    return throughMemory(op, op.getType(), plan.shared, adaptor.getSource(), rewriter, state);
  }
  llvm_unreachable("a kind of conversion that nothing carries out");
}

} // namespace

void populateConvertLayoutPatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerMove<tile::ConvertLayoutOp>, lowerMove<tile::ButterflyOp>>(patterns, state);
}

} // namespace tegula
