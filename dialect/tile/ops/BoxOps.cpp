// The verifier of `tile.box`.
#include "dialect/tile/Tile.h"

using namespace mlir;
using namespace tegula::tile;

LogicalResult BoxOp::verify() {
  const AffineMap map = getStarts();
  const size_t rank = map.getNumResults();
  // (box_c1)
  if (getStaticSizes().size() != rank || getStaticStrides().size() != rank || getMultiples().size() != rank)
    return emitOpError() << "expected " << rank << " sizes, strides and multiples, found "
                         << getStaticSizes().size() << ", " << getStaticStrides().size() << " and "
                         << getMultiples().size();
  // (box_c2)
  if (map.getNumDims() != 1 || (getRound().size() != 3 && (!getRound().empty() || map.isFunctionOfDim(0))))
    return emitOpError() << "expected starts of one dimension, with its counter, first value and step, found "
                         << map.getNumDims() << " dimensions and " << getRound().size() << " values";
  // (box_c3)
  if (map.getNumSymbols() != getSymbols().size())
    return emitOpError() << "expected " << map.getNumSymbols() << " symbols, found " << getSymbols().size();
  // (box_c4)
  for (ArrayRef<int32_t> axes : {getInFront(), getSaturated()})
    for (int32_t axis : axes)
      if (axis < 0 || size_t(axis) >= rank)
        return emitOpError() << "expected axes below " << rank << ", found " << axis;
  return success();
}
