// Verifiers and ranges of the ops that make and reshape tensors.
#include "dialect/tile/LayoutInference.h"

using namespace mlir;
using namespace tegula::tile;

/// Checks that source and result both have a layout, and that they belong together, or neither.
static LogicalResult verifyLayouts(Operation *op) {
  LayoutAttr source = layoutOf(op->getOperand(0).getType()), result = layoutOf(op->getResult(0).getType());
  if (bool(source) != bool(result))
    return op->emitOpError() << "expected a layout on source and result or on neither, found one on the "
                             << (source ? "source" : "result") << " only";
  if (!source || layoutsAgree(op, 0, source, result))
    return success();
  // The shapes were verified before, so there is a layout to expect.
  return op->emitOpError() << "expected a source of layout `" << *inferOperandLayout(op, 0, result)
                           << "`, found `" << source << "`";
}

LogicalResult ArangeOp::verify() {
  RankedTensorType type = getType();
  // (arange_c1)
  if (type.getRank() != 1)
    return emitOpError() << "expected a result of rank 1, found " << type;
  // (arange_c2)
  int64_t start = getStartAttr().getInt(), end = getEndAttr().getInt();
  if (end - start != type.getNumElements())
    return emitOpError() << "expected " << type.getNumElements() << " integers, found " << end - start
                         << " from " << start << " to " << end;
  return success();
}

void ArangeOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setRange) {
  int64_t start = getStartAttr().getInt(), end = getEndAttr().getInt();
  setRange(getResult(), ConstantIntRanges::fromSigned(APInt(32, uint64_t(start), true),
                                                      APInt(32, uint64_t(end - 1), true)));
}

LogicalResult SplatOp::verify() {
  // (splat_c1)
  if (getType().getElementType() != getSource().getType())
    return emitOpError() << "expected elements of type " << getSource().getType() << ", found "
                         << getType().getElementType();
  return success();
}

LogicalResult ExpandDimsOp::verify() {
  ArrayRef<int64_t> source = getSource().getType().getShape(), result = getType().getShape();
  int64_t axis = getAxisAttr().getInt();
  // (expand_dims_c1)
  if (axis < 0 || axis > int64_t(source.size()))
    return emitOpError() << "expected an axis from 0 to " << source.size() << ", found " << axis;
  // (expand_dims_c2)
  SmallVector<int64_t> expected(source);
  expected.insert(expected.begin() + axis, 1);
  if (result != ArrayRef(expected))
    return emitOpError() << "expected a result of shape [" << expected << "], found [" << result << "]";
  return verifyLayouts(*this); // (expand_dims_c3)
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> source = getSource().getType().getShape(), result = getType().getShape();
  // (broadcast_c1)
  bool fits = source.size() == result.size();
  for (size_t i = 0; fits && i < source.size(); ++i)
    fits = source[i] == result[i] || source[i] == 1;
  if (!fits)
    return emitOpError() << "expected each side of the source to be 1 or that of the result, found ["
                         << source << "] and [" << result << "]";
  return verifyLayouts(*this); // (broadcast_c2)
}

LogicalResult ReshapeOp::verify() {
  int64_t source = getSource().getType().getNumElements(), result = getType().getNumElements();
  // (reshape_c1)
  if (source != result)
    return emitOpError() << "expected a result of " << source << " elements, found " << result;
  return verifyLayouts(*this); // (reshape_c2)
}

LogicalResult TransOp::verify() {
  ArrayRef<int64_t> source = getSource().getType().getShape(), result = getType().getShape();
  // (trans_c1)
  SmallVector<bool> seen(source.size());
  bool isPermutation = getOrder().size() == source.size();
  for (int32_t from : getOrder()) {
    isPermutation = isPermutation && from >= 0 && size_t(from) < seen.size() && !seen[size_t(from)];
    if (!isPermutation)
      break;
    seen[size_t(from)] = true;
  }
  if (!isPermutation)
    return emitOpError() << "expected an order that names each of " << source.size()
                         << " dimensions once, found [" << getOrder() << "]";
  // (trans_c2)
  SmallVector<int64_t> expected;
  for (int32_t from : getOrder())
    expected.push_back(source[size_t(from)]);
  if (result != ArrayRef(expected))
    return emitOpError() << "expected a result of shape [" << expected << "], found [" << result << "]";
  return verifyLayouts(*this); // (trans_c3)
}

/// Returns whether `whole` is `half` with a last dimension of two.
static bool isTwice(RankedTensorType half, RankedTensorType whole) {
  SmallVector<int64_t> expected(half.getShape());
  expected.push_back(2);
  return whole.getShape() == ArrayRef(expected) && whole.getElementType() == half.getElementType();
}

/// Checks that both types have a layout, those that `op` ties, or neither.
static LogicalResult verifyHalves(Operation *op) {
  LayoutAttr source = layoutOf(op->getOperand(0).getType()), result = layoutOf(op->getResult(0).getType());
  if (bool(source) == bool(result) && (!source || layoutsAgree(op, 0, source, result)))
    return success();
  return op->emitOpError() << "expected layouts that differ by one bit of registers along the last "
                           << "dimension, found " << op->getOperand(0).getType() << " and "
                           << op->getResult(0).getType();
}

LogicalResult JoinOp::verify() {
  // (join_c1)
  if (!isTwice(getLhs().getType(), getType()))
    return emitOpError() << "expected a result of the operands' elements with a last dimension of 2, found "
                         << getType();
  return verifyHalves(*this); // (join_c2)
}

LogicalResult SplitOp::verify() {
  // (split_c1)
  if (!isTwice(getLhs().getType(), getSource().getType()))
    return emitOpError() << "expected a source of the results' elements with a last dimension of 2, found "
                         << getSource().getType();
  return verifyHalves(*this); // (split_c2)
}

LogicalResult ConvertLayoutOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  // (convert_layout_c1)
  if (source.getShape() != result.getShape())
    return emitOpError() << "expected a result of shape [" << source.getShape() << "], found ["
                         << result.getShape() << "]";
  // (convert_layout_c2)
  if (!layoutOf(source) || !layoutOf(result))
    return emitOpError() << "expected a layout on source and result, found " << source << " and " << result;
  return success();
}
