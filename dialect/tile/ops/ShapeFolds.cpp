// Folds and canonical forms of the ops that make and reshape tensors: constants and splats move through
// them, and a chain of one kind becomes one op.
#include "dialect/tile/Tile.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tegula::tile;

/// The constant `source` as a constant of `type` if all its elements are equal.
static OpFoldResult foldEqualElements(Attribute source, RankedTensorType type) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(source);
  return splat ? splat.resizeSplat(type) : DenseElementsAttr();
}

/// `op(splat x)` is a splat of x: shape and layout do not matter to it.
template <typename Op> static LogicalResult moveSplatThrough(Op op, PatternRewriter &rewriter) {
  auto splat = op.getSource().template getDefiningOp<SplatOp>();
  if (!splat)
    return rewriter.notifyMatchFailure(op, "the source is no splat");
  rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSource());
  return success();
}

/// Takes the source of the op of type `Inner` that makes `op`'s source, if one does.
template <typename Inner, typename Op> static bool lookThrough(Op op) {
  auto inner = op.getSource().template getDefiningOp<Inner>();
  if (!inner)
    return false;
  op.getSourceMutable().assign(inner.getSource());
  return true;
}

OpFoldResult ArangeOp::fold(FoldAdaptor) {
  if (getType().getNumElements() != 1)
    return {};
  return DenseElementsAttr::get(getType(), Attribute(getStartAttr()));
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  if (auto scalar = dyn_cast_or_null<TypedAttr>(adaptor.getSource());
      isa_and_nonnull<IntegerAttr, FloatAttr>(scalar))
    return DenseElementsAttr::get(getType(), Attribute(scalar));
  return {};
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return foldEqualElements(adaptor.getSource(), getType());
}

LogicalResult ExpandDimsOp::canonicalize(ExpandDimsOp op, PatternRewriter &rewriter) {
  return moveSplatThrough(op, rewriter);
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (lookThrough<BroadcastOp>(*this))
    return getResult();
  return foldEqualElements(adaptor.getSource(), getType());
}

LogicalResult BroadcastOp::canonicalize(BroadcastOp op, PatternRewriter &rewriter) {
  return moveSplatThrough(op, rewriter);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (lookThrough<ReshapeOp>(*this) || lookThrough<ExpandDimsOp>(*this))
    return getResult();
  return foldEqualElements(adaptor.getSource(), getType());
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  return moveSplatThrough(op, rewriter);
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  bool isIdentity = true;
  for (auto [to, from] : llvm::enumerate(getOrder()))
    isIdentity = isIdentity && int64_t(to) == from;
  if (isIdentity)
    return getSource();
  if (auto inner = getSource().getDefiningOp<TransOp>()) {
    // Dimension d is order[d] of the inner result, which is innerOrder[order[d]] of its source.
    SmallVector<int32_t> order;
    for (int32_t from : getOrder())
      order.push_back(inner.getOrder()[size_t(from)]);
    setOrder(order);
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return foldEqualElements(adaptor.getSource(), getType());
}

LogicalResult TransOp::canonicalize(TransOp op, PatternRewriter &rewriter) {
  return moveSplatThrough(op, rewriter);
}

/// Folds both halves of one tensor, and equal elements on both sides.
OpFoldResult JoinOp::fold(FoldAdaptor adaptor) {
  auto split = getLhs().getDefiningOp<SplitOp>();
  if (split && getLhs() == split.getLhs() && getRhs() == split.getRhs() &&
      split.getSource().getType() == getType())
    return split.getSource();
  return adaptor.getLhs() == adaptor.getRhs() ? foldEqualElements(adaptor.getLhs(), getType())
                                              : OpFoldResult();
}

LogicalResult SplitOp::canonicalize(SplitOp op, PatternRewriter &rewriter) {
  if (auto join = op.getSource().getDefiningOp<JoinOp>();
      join && join.getLhs().getType() == op.getLhs().getType()) {
    rewriter.replaceOp(op, {join.getLhs(), join.getRhs()});
    return success();
  }
  Value half;
  Type type = op.getLhs().getType();
  DenseElementsAttr elements;
  if (auto splat = op.getSource().getDefiningOp<SplatOp>())
    half = SplatOp::create(rewriter, op.getLoc(), type, splat.getSource());
  else if (matchPattern(op.getSource(), m_Constant(&elements)) && elements.isSplat())
    half = arith::ConstantOp::create(rewriter, op.getLoc(), elements.resizeSplat(cast<ShapedType>(type)));
  else
    return rewriter.notifyMatchFailure(op, "the source is neither joined nor of equal elements");
  rewriter.replaceOp(op, {half, half});
  return success();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (lookThrough<ConvertLayoutOp>(*this))
    return getResult();
  return foldEqualElements(adaptor.getSource(), getType());
}

LogicalResult ConvertLayoutOp::canonicalize(ConvertLayoutOp op, PatternRewriter &rewriter) {
  if (auto arange = op.getSource().getDefiningOp<ArangeOp>()) {
    // Each thread computes its own numbers faster than it could receive them.
    rewriter.replaceOpWithNewOp<ArangeOp>(op, op.getType(), arange.getStartAttr(), arange.getEndAttr());
    return success();
  }
  return moveSplatThrough(op, rewriter);
}
