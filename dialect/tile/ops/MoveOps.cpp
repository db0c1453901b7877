// Verifiers of the ops that move elements along an axis.
#include "dialect/tile/Tile.h"

using namespace mlir;
using namespace tegula::tile;

/// Checks `axis` against the rank of `op`'s source.
static LogicalResult verifyAxis(Operation *op, int64_t axis, RankedTensorType source) {
  if (axis >= 0 && axis < source.getRank())
    return success();
  return op->emitOpError() << "expected an axis from 0 to " << source.getRank() - 1 << ", found " << axis;
}

LogicalResult ButterflyOp::verify() {
  RankedTensorType type = getType();
  // (butterfly_c1)
  if (failed(verifyAxis(*this, getAxisAttr().getInt(), type)))
    return failure();
  // (butterfly_c2)
  int64_t side = type.getDimSize(getAxis()), mask = getMaskAttr().getInt();
  if (mask < 1 || mask >= side)
    return emitOpError() << "expected a mask from 1 to " << side - 1 << ", found " << mask;
  return success();
}

LogicalResult GatherOp::verify() {
  RankedTensorType source = getSource().getType(), indices = getIndices().getType(), result = getType();
  // (gather_c1)
  if (failed(verifyAxis(*this, getAxisAttr().getInt(), source)))
    return failure();
  // (gather_c2)
  bool fits = indices.getShape() == result.getShape() && indices.getRank() == source.getRank();
  for (int64_t axis = 0; fits && axis < source.getRank(); ++axis)
    fits = axis == int64_t(getAxis()) || source.getDimSize(axis) == indices.getDimSize(axis);
  if (!fits)
    return emitOpError() << "expected indices and result of one shape, that of the source along all axes but "
                         << getAxis() << ", found " << indices << " and " << result;
  // (gather_c3)
  if (indices.getEncoding() != result.getEncoding() || bool(layoutOf(source)) != bool(layoutOf(result)))
    return emitOpError()
           << "expected one layout on indices and result, and one on the source where they have "
           << "one, found " << source << ", " << indices << " and " << result;
  return success();
}
