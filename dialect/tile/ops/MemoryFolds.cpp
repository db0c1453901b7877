// Folds and canonical forms of the ops on pointers.
#include "dialect/tile/Tile.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tegula::tile;

OpFoldResult AddPtrOp::fold(FoldAdaptor) {
  if (matchPattern(getOffset(), m_Zero()))
    return getPointer();
  return {};
}

LogicalResult LoadOp::canonicalize(LoadOp op, PatternRewriter &rewriter) {
  if (!op.getMask())
    return rewriter.notifyMatchFailure(op, "there is no mask");
  if (matchPattern(op.getMask(), m_One())) {
    rewriter.modifyOpInPlace(op, [&] {
      op.getMaskMutable().clear();
      op.getOtherMutable().clear();
    });
    return success();
  }
  if (!matchPattern(op.getMask(), m_Zero()))
    return rewriter.notifyMatchFailure(op, "the mask is not known");
  if (op.getOther()) {
    rewriter.replaceOp(op, op.getOther());
    return success();
  }
  // Nothing is read, so any value will do.
  auto zero = dyn_cast_or_null<TypedAttr>(rewriter.getZeroAttr(op.getType()));
  if (!zero || isa<PtrType>(elementTypeOf(op.getType())))
    return rewriter.notifyMatchFailure(op, "there are no constants of pointer type");
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, zero);
  return success();
}

LogicalResult StoreOp::canonicalize(StoreOp op, PatternRewriter &rewriter) {
  if (!op.getMask())
    return rewriter.notifyMatchFailure(op, "there is no mask");
  if (matchPattern(op.getMask(), m_One())) {
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    return success();
  }
  if (!matchPattern(op.getMask(), m_Zero()))
    return rewriter.notifyMatchFailure(op, "the mask is not known");
  rewriter.eraseOp(op);
  return success();
}

OpFoldResult IntToPtrOp::fold(FoldAdaptor) {
  auto inner = getSource().getDefiningOp<PtrToIntOp>();
  if (inner && inner.getSource().getType() == getType())
    return inner.getSource();
  return {};
}

LogicalResult IntToPtrOp::canonicalize(IntToPtrOp op, PatternRewriter &rewriter) {
  auto inner = op.getSource().getDefiningOp<PtrToIntOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "the source was no pointer");
  rewriter.replaceOpWithNewOp<BitcastOp>(op, op.getType(), inner.getSource());
  return success();
}

OpFoldResult PtrToIntOp::fold(FoldAdaptor) {
  if (auto inner = getSource().getDefiningOp<IntToPtrOp>())
    return inner.getSource();
  if (auto inner = getSource().getDefiningOp<BitcastOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return {};
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<BitcastOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return {};
}

LogicalResult BitcastOp::canonicalize(BitcastOp op, PatternRewriter &rewriter) {
  auto inner = op.getSource().getDefiningOp<IntToPtrOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "the source was no integer");
  rewriter.replaceOpWithNewOp<IntToPtrOp>(op, op.getType(), inner.getSource());
  return success();
}
