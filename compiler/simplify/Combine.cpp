// The pass `combine`: Passes.td says what it does and why it is where it is.
#include "compiler/simplify/CombinePatterns.h"
#include "compiler/simplify/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tile;

namespace tegula {
#define GEN_PASS_DEF_COMBINEPASS
#include "compiler/simplify/Passes.h.inc"
} // namespace tegula

namespace {

/// `addptr (addptr p, 3), 5` is `addptr p, 8`.
struct AddSteps : OpRewritePattern<AddPtrOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddPtrOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getPointer().getDefiningOp<AddPtrOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "the pointer is not stepped before");
    APInt first, second; // of each element of a tensor of steps
    if (!matchPattern(inner.getOffset(), m_ConstantInt(&first)) ||
        !matchPattern(op.getOffset(), m_ConstantInt(&second)))
      return rewriter.notifyMatchFailure(op, "a step is not constant");
    // Offsets are signed and of any width, and their sum must not wrap.
    bool overflows = false;
    APInt sum = first.sext(64).sadd_ov(second.sext(64), overflows);
    if (overflows)
      return rewriter.notifyMatchFailure(op, "the sum of the steps is too large");
    Type type = withElementType(op.getOffset().getType(), rewriter.getI64Type());
    Value offset = createScalarOrSplatConstant(rewriter, op.getLoc(), type, sum);
    rewriter.replaceOpWithNewOp<AddPtrOp>(op, op.getType(), inner.getPointer(), offset);
    return success();
  }
};

/// `addptr (addptr (splat p), t), (splat s)` is `addptr (splat (addptr p, s)), t`: what is the same for all
/// elements moves a scalar, and a loop that adds it keeps t, of 32 bits as a rule, and no pointers.
struct UniformStepFirst : OpRewritePattern<AddPtrOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddPtrOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getPointer().getDefiningOp<AddPtrOp>();
    auto base = inner ? inner.getPointer().getDefiningOp<SplatOp>() : SplatOp();
    auto step = op.getOffset().getDefiningOp<SplatOp>();
    if (!base || !step || inner.getOffset().getDefiningOp<SplatOp>() || layoutOf(op.getType()))
      return rewriter.notifyMatchFailure(op, "no uniform step from a tensor of one pointer's neighbours");
    Value moved = AddPtrOp::create(rewriter, op.getLoc(), base.getSource(), step.getSource());
    Value pointers = SplatOp::create(rewriter, base.getLoc(), base.getType(), moved);
    rewriter.replaceOpWithNewOp<AddPtrOp>(op, op.getType(), pointers, inner.getOffset());
    return success();
  }
};

/// `select m, (load p, m), constant` is `load p, m, constant`: what a masked load without a value for
/// the masked elements gives there is undefined, so it may as well be the constant.
struct SelectInLoad : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &rewriter) const override {
    auto load = op.getTrueValue().getDefiningOp<LoadOp>();
    if (!load || load.getMask() != op.getCondition())
      return rewriter.notifyMatchFailure(op, "does not select from a load by its mask");
    TypedAttr other, present;
    if (!matchPattern(op.getFalseValue(), m_Constant(&other)))
      return rewriter.notifyMatchFailure(op, "the other value is not constant");
    if (load.getOther() && !(matchPattern(load.getOther(), m_Constant(&present)) && present == other))
      return rewriter.notifyMatchFailure(op, "the load has another value for masked elements");
    if (!load.getOther()) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(load);
      Value value = arith::ConstantOp::create(rewriter, op.getFalseValue().getLoc(), other);
      rewriter.modifyOpInPlace(load, [&] { load.getOtherMutable().assign(value); });
    }
    remark::passed(op.getLoc(), remark::RemarkOpts::name("select-in-load").category("combine"))
        << "masked elements are loaded as the constant that replaced them";
    rewriter.replaceOp(op, load.getResult());
    return success();
  }
};

/// Returns the range of the elements of `value` where that is seen at once: equal numbers, or numbers in a
/// row, however they are arranged.
std::optional<ConstantIntRanges> rangeOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return ConstantIntRanges::constant(number);
  while (Operation *op = value.getDefiningOp()) {
    if (auto arange = dyn_cast<ArangeOp>(op)) {
      APInt first(32, arange.getStart()), last(32, arange.getEnd() - 1);
      return ConstantIntRanges::fromSigned(first, last);
    }
    if (!isa<ExpandDimsOp, BroadcastOp, ReshapeOp, TransOp>(op))
      break;
    value = op->getOperand(0);
  }
  return std::nullopt;
}

/// `cmpi eq, (arange 0 to 16), 40` is false. Authors who take the columns of a tile one by one, in an
/// unrolled loop that knows nothing of the tile's width, compute much for columns that are not there.
struct CompareNumbersInRow : OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpIOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    std::optional<ConstantIntRanges> left = rangeOf(op.getLhs()), right = rangeOf(op.getRhs());
    if (!type || !left || !right)
      return rewriter.notifyMatchFailure(op, "does not compare numbers in a row with a constant");
    std::optional<bool> result =
        intrange::evaluatePred(static_cast<intrange::CmpPredicate>(op.getPredicate()), *left, *right);
    if (!result)
      return rewriter.notifyMatchFailure(op, "holds for some elements");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, DenseElementsAttr::get(type, *result));
    return success();
  }
};

/// `assume a & b` is `assume a` and `assume b`, each part once, however often it is taken.
struct SplitAssumption : OpRewritePattern<AssumeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AssumeOp op, PatternRewriter &rewriter) const override {
    auto both = op.getCondition().getDefiningOp<arith::AndIOp>();
    if (!both)
      return rewriter.notifyMatchFailure(op, "the condition is no conjunction");
    SmallVector<Value> parts{both.getResult()};
    llvm::DenseSet<Value> seen;
    while (!parts.empty()) {
      Value part = parts.pop_back_val();
      if (!seen.insert(part).second)
        continue;
      if (auto inner = part.getDefiningOp<arith::AndIOp>())
        parts.append({inner.getRhs(), inner.getLhs()});
      else
        AssumeOp::create(rewriter, op.getLoc(), part);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct CombinePass : tegula::impl::CombinePassBase<CombinePass> {
  /// Patterns are compiled once for each pass manager, not for each module.
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    set.add<AddSteps, UniformStepFirst, SelectInLoad, CompareNumbersInRow, SplitAssumption>(context);
    populateNarrowPatterns(set);
    populateDotPatterns(set);
    populateCounterPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(getOperation(), patterns, config)))
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
