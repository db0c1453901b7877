#include "compiler/simplify/NarrowPatterns.h"

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

/// `op` on other operands, with results of `types`.
Operation *rebuilt(PatternRewriter &rewriter, Operation *op, ValueRange operands, ArrayRef<Type> types) {
  OperationState state(op->getLoc(), op->getName(), operands, types, op->getAttrs());
  return rewriter.create(state);
}

void report(Operation *op, int64_t before, int64_t after) {
  remark::passed(op->getLoc(), remark::RemarkOpts::name("narrow").category("combine"))
      << "computed on fewer elements" << remark::metric("before", before) << remark::metric("after", after);
}

int64_t elementsOf(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
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
    SmallVector<Type, 2> types;
    for (Type type : op->getResultTypes())
      types.push_back(elementTypeOf(type));
    report(op, elementsOf(op), 1);
    Operation *scalar = rebuilt(rewriter, op, operands, types);
    SmallVector<Value, 2> results;
    for (auto [result, type] : llvm::zip_equal(scalar->getResults(), op->getResultTypes()))
      results.push_back(SplatOp::create(rewriter, op->getLoc(), type, result));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// `op(broadcast a, broadcast b, splat)` is `broadcast (op a, b, splat)` where a and b have one shape.
struct MoveAboveBroadcasts : RewritePattern {
  MoveAboveBroadcasts(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!mayNarrow(op))
      return rewriter.notifyMatchFailure(op, "not an elementwise op on tensors without layouts");
    RankedTensorType narrow;
    for (Value operand : op->getOperands()) {
      if (!isa<RankedTensorType>(operand.getType()) || hasEqualElements(operand))
        continue;
      auto broadcast = operand.getDefiningOp<BroadcastOp>();
      if (!broadcast || (narrow && narrow.getShape() != broadcast.getSource().getType().getShape()))
        return rewriter.notifyMatchFailure(op, "an operand is no broadcast of the same shape");
      narrow = broadcast.getSource().getType();
    }
    if (!narrow)
      return rewriter.notifyMatchFailure(op, "no operand is a broadcast");
    SmallVector<Value, 4> operands;
    for (Value operand : op->getOperands()) {
      if (auto broadcast = operand.getDefiningOp<BroadcastOp>())
        operands.push_back(broadcast.getSource());
      else if (isa<RankedTensorType>(operand.getType()))
        operands.push_back(resized(rewriter, operand, narrow.getShape()));
      else
        operands.push_back(operand);
    }
    SmallVector<Type, 2> types;
    for (Type type : op->getResultTypes())
      types.push_back(narrow.clone(elementTypeOf(type)));
    report(op, elementsOf(op), narrow.getNumElements());
    Operation *small = rebuilt(rewriter, op, operands, types);
    SmallVector<Value, 2> results;
    for (auto [result, type] : llvm::zip_equal(small->getResults(), op->getResultTypes()))
      results.push_back(BroadcastOp::create(rewriter, op->getLoc(), type, result));
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void tegula::populateNarrowPatterns(RewritePatternSet &patterns) {
  patterns.add<MoveAboveSplats, MoveAboveBroadcasts>(patterns.getContext());
}
