#include "compiler/simplify/CombinePatterns.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace {

/// Replaces a second counter of a loop. The value yielded in
///
///     for i = low to high step s, c = init { ... c + s ... yield c + s }
///
/// is `i + (init - low)`. Kernels that walk over tiles count them twice, to store what they no longer load;
/// with one counter both places compute the same coordinates, which masks are compared by. Where numbers
/// wrap, both do.
struct OneCounter : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const override {
    bool isChanged = false;
    for (BlockArgument argument : loop.getRegionIterArgs())
      if (arith::AddIOp next = nextOf(argument, loop);
          next && !(argument.hasOneUse() && next->hasOneUse())) { // used not only by its yield
        replaceUses(argument, next, loop, rewriter);
        isChanged = true;
      }
    return success(isChanged);
  }

  /// The sum of `argument` and the loop's step that is handed on for it; null where something else is.
  static arith::AddIOp nextOf(BlockArgument argument, scf::ForOp loop) {
    OpOperand *yielded = loop.getTiedLoopYieldedValue(argument);
    auto next = yielded->get().getDefiningOp<arith::AddIOp>();
    if (!next || next->getBlock() != loop.getBody() || argument.getType() != loop.getInductionVar().getType())
      return {};
    Value step = next.getLhs() == argument ? next.getRhs() : next.getLhs();
    return (next.getLhs() == argument || next.getRhs() == argument) &&
                   isEqualConstantIntOrValue(step, loop.getStep())
               ? next
               : arith::AddIOp();
  }

  static void replaceUses(BlockArgument argument, arith::AddIOp next, scf::ForOp loop,
                          PatternRewriter &rewriter) {
    Location loc = next.getLoc();
    Value init = loop.getTiedLoopInit(argument)->get(), low = loop.getLowerBound(), step = loop.getStep(),
          counter = loop.getInductionVar(), count, counted;
    auto behind = init.getDefiningOp<arith::SubIOp>();
    if (behind && isEqualConstantIntOrValue(behind.getLhs(), low) &&
        isEqualConstantIntOrValue(behind.getRhs(), step)) {
      rewriter.setInsertionPointToStart(loop.getBody());
      count = rewriter.createOrFold<arith::SubIOp>(loc, counter, step);
      counted = counter;
    } else {
      rewriter.setInsertionPoint(loop);
      Value distance = rewriter.createOrFold<arith::SubIOp>(loc, init, low);
      rewriter.setInsertionPointToStart(loop.getBody());
      count = rewriter.createOrFold<arith::AddIOp>(loc, counter, distance);
      counted = rewriter.createOrFold<arith::AddIOp>(loc, count, step);
    }
    OpOperand *yielded = loop.getTiedLoopYieldedValue(argument);
    rewriter.replaceUsesWithIf(argument, count, [&](OpOperand &use) { return use.getOwner() != next; });
    rewriter.replaceUsesWithIf(next, counted, [&](OpOperand &use) { return &use != yielded; });
  }
};

} // namespace

void tegula::populateCounterPatterns(RewritePatternSet &patterns) {
  patterns.add<OneCounter>(patterns.getContext());
}
