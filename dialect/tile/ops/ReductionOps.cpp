// Builders and verifiers of the ops that combine or count elements along an axis.
#include "dialect/tile/LayoutInference.h"
#include "dialect/tile/Tile.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tegula::tile;

/// `source`'s shape without `axis`, of the same elements; the element type where no axis is left. A layout
/// follows.
static Type reducedType(RankedTensorType source, unsigned axis) {
  if (source.getRank() == 1)
    return source.getElementType();
  SmallVector<int64_t> shape(source.getShape());
  shape.erase(shape.begin() + axis);
  Attribute encoding;
  if (LayoutAttr layout = layoutOf(source))
    encoding = layoutWithoutAxis(layout, axis);
  return RankedTensorType::get(shape, source.getElementType(), encoding);
}

void ReduceOp::build(OpBuilder &builder, OperationState &state, ValueRange operands, uint32_t axis) {
  SmallVector<Type> types;
  for (Value operand : operands)
    types.push_back(reducedType(cast<RankedTensorType>(operand.getType()), axis));
  build(builder, state, types, operands, axis);
}

/// Checks that there are operands, of one shape and layout, and that they have the axis.
template <typename Op> static LogicalResult verifyOperands(Op op, StringRef verb) {
  // (reduce_c1, scan_c1)
  if (op.getOperands().empty())
    return op.emitOpError() << "expected a tensor to " << verb;
  auto first = cast<RankedTensorType>(op.getOperands().front().getType());
  for (Type type : op.getOperands().getTypes())
    if (auto other = cast<RankedTensorType>(type);
        other.getShape() != first.getShape() || other.getEncoding() != first.getEncoding())
      return op.emitOpError() << "expected operands of one shape and layout, found " << first << " and "
                              << other;
  // (reduce_c2, scan_c2)
  if (int32_t(op.getAxis()) < 0 || int64_t(op.getAxis()) >= first.getRank())
    return op.emitOpError() << "expected an axis from 0 to " << first.getRank() - 1 << ", found "
                            << int32_t(op.getAxis());
  // (reduce_c3, scan_c3)
  if (op.getNumResults() != op.getOperands().size())
    return op.emitOpError() << "expected " << op.getOperands().size() << " results, found "
                            << op.getNumResults();
  return success();
}

template <typename Op> static LogicalResult verifyCombine(Op op) {
  Block &block = op.getCombine().front();
  size_t count = op.getOperands().size();
  SmallVector<Type> elements;
  for (Type type : op.getOperands().getTypes())
    elements.push_back(elementTypeOf(type));
  // (reduce_c5, scan_c5)
  SmallVector<Type> twice(elements);
  twice.append(elements);
  if (block.getArgumentTypes() != ArrayRef<Type>(twice))
    return op.emitOpError() << "expected a region of " << 2 * count << " arguments of the elements' types";
  if (block.getTerminator()->getOperandTypes() != ArrayRef<Type>(elements))
    return op.emitOpError() << "expected the region to yield " << count << " values of the elements' types";
  // (reduce_c6, scan_c6)
  if (Operation *culprit = firstThatIsNoScalarCode(block))
    return op.emitOpError() << "expected a region of scalar ops that assert and print at most, found `"
                            << culprit->getName() << "`";
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyOperands(*this, "reduce")))
    return failure();
  for (auto [operand, result] : llvm::zip_equal(getOperands(), getResults())) {
    auto source = cast<RankedTensorType>(operand.getType());
    Type expected = reducedType(source, getAxis());
    Type found = result.getType();
    auto shapeOf = [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor ? tensor.getShape() : ArrayRef<int64_t>();
    };
    // (reduce_c3)
    if (elementTypeOf(found) != elementTypeOf(expected) || shapeOf(found) != shapeOf(expected))
      return emitOpError() << "expected a result of type " << expected << ", found " << found;
    // (reduce_c4)
    if (found != expected)
      return emitOpError() << "expected a result of type " << expected << " with this layout, found "
                           << found;
  }
  return success();
}

LogicalResult ReduceOp::verifyRegions() { return verifyCombine(*this); }

void ScanOp::build(OpBuilder &builder, OperationState &state, ValueRange operands, uint32_t axis,
                   bool reverse) {
  build(builder, state, TypeRange(operands), operands, axis, reverse);
}

LogicalResult ScanOp::verify() {
  if (failed(verifyOperands(*this, "scan")))
    return failure();
  // (scan_c3)
  for (auto [operand, result] : llvm::zip_equal(getOperands(), getResults()))
    if (operand.getType() != result.getType())
      return emitOpError() << "expected a result of type " << operand.getType() << ", found "
                           << result.getType();
  // (scan_c4)
  if (LayoutAttr layout = layoutOf(getResultTypes().front()); layout && !isScannable(layout, getAxis()))
    return emitOpError() << "expected a layout whose bits move by one bit along axis " << getAxis()
                         << " or not at all, found `" << layout << "`";
  return success();
}

LogicalResult ScanOp::verifyRegions() { return verifyCombine(*this); }

LogicalResult HistogramOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  auto mask = getMask() ? cast<RankedTensorType>(getMask().getType()) : RankedTensorType();
  // (histogram_c1)
  if (source.getRank() != 1 || result.getRank() != 1)
    return emitOpError() << "expected tensors of one axis, found " << source << " and " << result;
  // (histogram_c2)
  bool fits = !mask || (mask.getShape() == source.getShape() && mask.getEncoding() == source.getEncoding());
  if (!fits || bool(layoutOf(source)) != bool(layoutOf(result)))
    return emitOpError()
           << "expected one shape and layout of source and mask, and a layout of the result where "
           << "they have one, found " << source << ", " << mask << " and " << result;
  return success();
}
