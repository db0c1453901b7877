#include "compiler/simplify/CombinePatterns.h"

#include "dialect/tile/LayoutInference.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tile;

namespace {

/// True for ops that may be built anew for another shape: elementwise, without effects, and made of tensors
/// before layouts. `tile.hint` is about dimensions, so it stays where it is.
bool mayNarrow(Operation *op) {
  if (op->getNumRegions() != 0 || op->getNumResults() == 0 || isa<HintOp>(op) || !isElementwise(op) ||
      !isMemoryEffectFree(op))
    return false;
  return llvm::all_of(op->getResultTypes(),
                      [](Type type) { return isa<RankedTensorType>(type) && !layoutOf(type); });
}

/// A tensor constant of equal elements.
SplatElementsAttr constantOf(Value value) {
  SplatElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) ? elements : SplatElementsAttr();
}

bool hasEqualElements(Value value) { return value.getDefiningOp<SplatOp>() || constantOf(value); }

/// The scalar that all elements of `value` are, made from a constant where needed.
Value scalarOf(PatternRewriter &rewriter, Value value) {
  if (auto splat = value.getDefiningOp<SplatOp>())
    return splat.getSource();
  auto scalar = cast<TypedAttr>(constantOf(value).getSplatValue<Attribute>());
  return arith::ConstantOp::create(rewriter, value.getLoc(), scalar);
}

/// `value`, whose elements are equal, as a tensor of `shape`.
Value resized(PatternRewriter &rewriter, Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType()).clone(shape);
  if (auto splat = value.getDefiningOp<SplatOp>())
    return SplatOp::create(rewriter, value.getLoc(), type, splat.getSource());
  return arith::ConstantOp::create(rewriter, value.getLoc(), constantOf(value).resizeSplat(type));
}

/// Replaces `op` by the same on `operands`, of `elements` elements, and `Widen`, which makes the results of
/// it.
template <typename Widen>
void narrow(PatternRewriter &rewriter, Operation *op, ValueRange operands, int64_t elements,
            llvm::function_ref<Type(Type)> narrowed) {
  const int64_t before = cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
  remark::passed(op->getLoc(), remark::RemarkOpts::name("narrow").category("combine"))
      << "computed on fewer elements" << remark::metric("before", before)
      << remark::metric("after", elements);
  OperationState state(op->getLoc(), op->getName(), operands,
                       llvm::map_to_vector(op->getResultTypes(), narrowed), op->getAttrs());
  SmallVector<Value, 2> results;
  for (auto [result, type] : llvm::zip_equal(rewriter.create(state)->getResults(), op->getResultTypes()))
    results.push_back(Widen::create(rewriter, op->getLoc(), type, result));
  rewriter.replaceOp(op, results);
}

/// `op(splat a, splat b, constant)` is `splat (op a, b, constant)`.
struct MoveAboveSplats : RewritePattern {
  MoveAboveSplats(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!mayNarrow(op))
      return rewriter.notifyMatchFailure(op, "not an elementwise op on tensors without layouts");
    bool anySplat = false;
    for (Value operand : op->getOperands()) {
      if (!isa<RankedTensorType>(operand.getType()))
        continue;
      if (!hasEqualElements(operand))
        return rewriter.notifyMatchFailure(op, "an operand is no splat");
      anySplat |= bool(operand.getDefiningOp<SplatOp>());
    }
    if (!anySplat)
      return rewriter.notifyMatchFailure(op, "constants alone are left to folding");
    SmallVector<Value, 4> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isa<RankedTensorType>(operand.getType()) ? scalarOf(rewriter, operand) : operand);
    narrow<SplatOp>(rewriter, op, operands, /*elements=*/1, [](Type type) { return elementTypeOf(type); });
    return success();
  }
};

/// `op(broadcast a, broadcast b, splat)` is `broadcast (op a, b, splat)` where a and b have one shape.
struct MoveAboveBroadcasts : RewritePattern {
  MoveAboveBroadcasts(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!mayNarrow(op))
      return rewriter.notifyMatchFailure(op, "not an elementwise op on tensors without layouts");
    RankedTensorType small;
    for (Value operand : op->getOperands()) {
      if (!isa<RankedTensorType>(operand.getType()) || hasEqualElements(operand))
        continue;
      auto broadcast = operand.getDefiningOp<BroadcastOp>();
      if (!broadcast || (small && small.getShape() != broadcast.getSource().getType().getShape()))
        return rewriter.notifyMatchFailure(op, "an operand is no broadcast of the same shape");
      small = broadcast.getSource().getType();
    }
    if (!small)
      return rewriter.notifyMatchFailure(op, "no operand is a broadcast");
    SmallVector<Value, 4> operands;
    for (Value operand : op->getOperands()) {
      if (auto broadcast = operand.getDefiningOp<BroadcastOp>())
        operands.push_back(broadcast.getSource());
      else if (isa<RankedTensorType>(operand.getType()))
        operands.push_back(resized(rewriter, operand, small.getShape()));
      else
        operands.push_back(operand);
    }
    narrow<BroadcastOp>(rewriter, op, operands, small.getNumElements(),
                        [&](Type type) -> Type { return small.clone(elementTypeOf(type)); });
    return success();
  }
};

} // namespace

void tegula::populateNarrowPatterns(RewritePatternSet &patterns) {
  patterns.add<MoveAboveSplats, MoveAboveBroadcasts>(patterns.getContext());
}
