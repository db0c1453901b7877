// Builders and verifiers of the ops that combine elements along an axis.
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

LogicalResult ReduceOp::verify() {
  // (reduce_c1)
  if (getOperands().empty())
    return emitOpError("expected a tensor to reduce");
  auto first = cast<RankedTensorType>(getOperands().front().getType());
  for (Type type : getOperands().getTypes())
    if (auto other = cast<RankedTensorType>(type);
        other.getShape() != first.getShape() || other.getEncoding() != first.getEncoding())
      return emitOpError() << "expected operands of one shape and layout, found " << first << " and "
                           << other;
  // (reduce_c2)
  if (int32_t(getAxis()) < 0 || int64_t(getAxis()) >= first.getRank())
    return emitOpError() << "expected an axis from 0 to " << first.getRank() - 1 << ", found "
                         << int32_t(getAxis());
  // (reduce_c3)
  if (getNumResults() != getOperands().size())
    return emitOpError() << "expected " << getOperands().size() << " results, found " << getNumResults();
  for (auto [operand, result] : llvm::zip_equal(getOperands(), getResults())) {
    auto source = cast<RankedTensorType>(operand.getType());
    Type expected = reducedType(source, getAxis());
    Type found = result.getType();
    auto shapeOf = [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor ? tensor.getShape() : ArrayRef<int64_t>();
    };
    if (elementTypeOf(found) != elementTypeOf(expected) || shapeOf(found) != shapeOf(expected))
      return emitOpError() << "expected a result of type " << expected << ", found " << found;
    // (reduce_c4)
    if (found != expected)
      return emitOpError() << "expected a result of type " << expected << " with this layout, found "
                           << found;
  }
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  Block &block = getCombine().front();
  size_t count = getOperands().size();
  SmallVector<Type> elements;
  for (Type type : getOperands().getTypes())
    elements.push_back(elementTypeOf(type));
  // (reduce_c5)
  SmallVector<Type> twice(elements);
  twice.append(elements);
  if (block.getArgumentTypes() != ArrayRef<Type>(twice))
    return emitOpError() << "expected a region of " << 2 * count << " arguments of the elements' types";
  if (block.getTerminator()->getOperandTypes() != ArrayRef<Type>(elements))
    return emitOpError() << "expected the region to yield " << count << " values of the elements' types";
  // (reduce_c6)
  WalkResult walked = block.walk([&](Operation *op) {
    auto isTensor = [](Type type) { return isa<ShapedType>(type); };
    if (llvm::none_of(op->getResultTypes(), isTensor) && isMemoryEffectFree(op))
      return WalkResult::advance();
    return WalkResult(emitOpError() << "expected a region of scalar ops without effects, found `"
                                    << op->getName() << "`");
  });
  return failure(walked.wasInterrupted());
}
