#include "compiler/simplify/CombinePatterns.h"

#include "dialect/tile/Tile.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

#include <optional>

using namespace mlir;
using namespace tegula;
using namespace tegula::tile;

namespace {

bool isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero()); }

/// Returns whether adding up may begin with another matrix instead of zero.
///
/// `tile.dot` sums in the accumulator's type and in an order of its unit's choice. A matrix added after it in
/// that type is one more term, so `c + (p1 + ... + pK)` and `((c + p1) + ...) + pK` are two orders of one
/// sum: in f32 and f64 neither is nearer to the exact sum in general, and in integers both are equal. Not so
/// in f16, where units hold partial sums in more bits than the accumulator has, so that a product that was
/// rounded before it was added would no longer be. Nor for products of f8, which some units add up in fewer
/// bits than f32 has: an addition in f32 after them asks for full sums, unless `max_imprecise` bounds what
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

/// The matrix that `value` repeats along a new `axis`, or null.
TypedValue<RankedTensorType> repeatedAlong(Value value, uint32_t axis) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  auto expand = broadcast ? broadcast.getSource().getDefiningOp<ExpandDimsOp>() : nullptr;
  if (!expand || expand.getAxis() != axis || expand.getSource().getType().getRank() != 2)
    return nullptr;
  ArrayRef<int64_t> to = broadcast.getType().getShape(), from = expand.getType().getShape();
  for (unsigned side = 0; side < 3; ++side)
    if (side != axis && to[side] != from[side])
      return nullptr;
  return expand.getSource();
}

bool isSum(ReduceOp op) {
  Block &body = op.getCombine().front();
  auto add = dyn_cast<arith::AddFOp>(body.front());
  return add && body.getOperations().size() == 2 && body.getTerminator()->getOperand(0) == add.getResult() &&
         add.getLhs() != add.getRhs();
}

/// `sum(a[:, :, None] * b[None, :, :], axis=1)` is `dot(a, b, 0)`, of which no thread and no memory has to
/// hold all products at once. Of f32 and f64 alone, which dots multiply and add up as these two do (Triton
/// takes tf32 here), and where the author lets products and sums be fused.
struct SumOfOuterProducts : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  /// Sides of a dot; below them a reduction has little to hold.
  static constexpr int64_t leastSide = 16;

  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    auto product = op.getOperands().front().getDefiningOp<arith::MulFOp>();
    if (!product || op.getOperands().size() != 1 || op.getAxis() != 1 || !isSum(op) ||
        !bitEnumContainsAny(product.getFastmath(), arith::FastMathFlags::contract))
      return rewriter.notifyMatchFailure(op, "no sum of products");
    auto result = dyn_cast<RankedTensorType>(op.getResult(0).getType());
    Type element = result ? result.getElementType() : Type();
    if (!result || result.getRank() != 2 || !(element.isF32() || element.isF64()) ||
        llvm::any_of(op.getSourceShape(), [](int64_t side) { return side < leastSide; }))
      return rewriter.notifyMatchFailure(op, "no matrix of a dot");
    for (auto [left, right] :
         {std::pair(product.getLhs(), product.getRhs()), std::pair(product.getRhs(), product.getLhs())}) {
      Value a = repeatedAlong(left, 2), b = repeatedAlong(right, 0);
      if (!a || !b)
        continue;
      remark::passed(op.getLoc(), remark::RemarkOpts::name("outer-products").category("combine"))
          << "the sum of outer products is computed as a dot";
      Value zero = arith::ConstantOp::create(
          rewriter, op.getLoc(), DenseElementsAttr::get(result, rewriter.getFloatAttr(element, 0)));
      rewriter.replaceOpWithNewOp<DotOp>(op, a, b, zero);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no outer products");
  }
};

/// The matrix that an operand of f32 was converted from.
struct Narrow {
  Value source;
  TransOp trans; ///< that takes the converted matrix; null where there is none
  Type element() const { return getElementTypeOrSelf(source.getType()); }
};

/// Returns what `value` was converted to f32 from, of 16 bits; nothing where it was not.
std::optional<Narrow> narrowOf(Value value) {
  auto trans = value.getDefiningOp<TransOp>();
  auto widen = (trans ? trans.getSource() : value).getDefiningOp<arith::ExtFOp>();
  if (!widen || getElementTypeOrSelf(widen.getIn().getType()).getIntOrFloatBitWidth() != 16)
    return std::nullopt;
  return Narrow{widen.getIn(), trans};
}

Value build(const Narrow &narrow, PatternRewriter &rewriter) {
  TransOp trans = narrow.trans;
  if (!trans)
    return narrow.source;
  Type type = withElementType(trans.getType(), narrow.element());
  return TransOp::create(rewriter, trans.getLoc(), type, narrow.source, trans.getOrder());
}

/// A dot of f32 whose operands were both converted from one type of 16 bits is one of that type, whose
/// products are the same: tf32 holds all of its values. Units multiply them at twice the rate, and take them
/// from where they were loaded.
struct NarrowOperands : OpRewritePattern<DotOp> {
  using OpRewritePattern::OpRewritePattern;

  static constexpr int64_t leastK = 16; ///< of the units for 16 bits

  LogicalResult matchAndRewrite(DotOp op, PatternRewriter &rewriter) const override {
    using enum InputPrecision;
    if (!op.getAType().getElementType().isF32() || op.getK() < leastK ||
        (op.getPrecision() != TF32 && op.getPrecision() != TF32x3))
      return rewriter.notifyMatchFailure(op, "its operands are f32, or to be multiplied as such");
    const std::optional<Narrow> a = narrowOf(op.getA()), b = narrowOf(op.getB());
    if (!a || !b || a->element() != b->element())
      return rewriter.notifyMatchFailure(op, "an operand has all bits of f32");
    remark::passed(op.getLoc(), remark::RemarkOpts::name("narrow-operands").category("combine"))
        << "operands are multiplied in the 16 bits that they were converted from";
    rewriter.replaceOpWithNewOp<DotOp>(op, build(*a, rewriter), build(*b, rewriter), op.getAccumulator(),
                                       op.getPrecision());
    return success();
  }
};

} // namespace

void tegula::populateDotPatterns(RewritePatternSet &patterns) {
  patterns.add<Accumulate<arith::AddFOp>, Accumulate<arith::AddIOp>, SumOfOuterProducts, NarrowOperands>(
      patterns.getContext());
}
