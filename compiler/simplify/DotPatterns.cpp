#include "compiler/simplify/DotPatterns.h"

#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tile;

namespace {

bool isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero()); }

/// Whether adding up may begin with another matrix instead of zero.
///
/// `tile.dot` sums in the accumulator's type and in an order of its unit's choice. A matrix added behind it
/// in that type is one more term, so `c + (p1 + ... + pK)` and `((c + p1) + ...) + pK` are two orders of one
/// sum: in f32 and f64 neither is nearer to the exact sum in general, and in integers both are equal. Not so
/// in f16, where units hold partial sums in more bits than the accumulator has, so that a product that was
/// rounded before it was added would no longer be. Nor for products of f8, which some units add up in fewer
/// bits than f32 has: who adds in f32 behind them asks for full sums, unless `max_imprecise` bounds what
/// comes together in fewer bits anyway.
bool mayBeginWithAny(DotOp dot) {
  Type sum = dot.getResultType().getElementType();
  if (dot.getAType().getElementType().getIntOrFloatBitWidth() == 8 && isa<FloatType>(sum))
    return sum.isF32() && dot.getMaxImprecise() != 0;
  return sum.isF32() || sum.isF64() || sum.isInteger(32);
}

/// `dot(a, b, 0) + c` is `dot(a, b, c)`.
template <typename Add> struct Accumulate : OpRewritePattern<Add> {
  using OpRewritePattern<Add>::OpRewritePattern;

  LogicalResult matchAndRewrite(Add op, PatternRewriter &rewriter) const override {
    for (auto [product, other] : {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())}) {
      auto dot = product.template getDefiningOp<DotOp>();
      // In another block the product may be computed less often than the sum.
      if (!dot || !dot->hasOneUse() || dot->getBlock() != op->getBlock() || !isZero(dot.getAccumulator()) ||
          !mayBeginWithAny(dot))
        continue;
      remark::passed(op.getLoc(), remark::RemarkOpts::name("accumulate").category("combine"))
          << "added up with the products themselves";
      // Here, where what is added is there as well.
      auto sum = DotOp::create(rewriter, dot.getLoc(), dot.getA(), dot.getB(), other, dot.getPrecision(),
                               dot.getMaxImprecise());
      rewriter.replaceOp(op, sum.getResult());
      rewriter.eraseOp(dot);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "adds nothing to a product of its own");
  }
};

} // namespace

void tegula::populateAccumulatePatterns(RewritePatternSet &patterns) {
  patterns.add<Accumulate<arith::AddFOp>, Accumulate<arith::AddIOp>>(patterns.getContext());
}
