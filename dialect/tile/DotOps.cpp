// The verifier of `tile.dot`.
#include "dialect/tile/Tile.h"

using namespace mlir;
using namespace tegula::tile;

namespace {

bool isEightBitFloat(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

/// True for elements of which products may be added up in `sum`.
bool mayMultiply(Type a, Type b, Type sum) {
  if (isEightBitFloat(a) && isEightBitFloat(b))
    return sum.isF32() || sum.isF16();
  if (a != b)
    return false;
  if (a.isF16())
    return sum.isF32() || sum.isF16();
  if (a.isBF16() || a.isF32())
    return sum.isF32();
  return (a.isF64() && sum.isF64()) || (a.isInteger(8) && sum.isInteger(32));
}

} // namespace

LogicalResult DotOp::verify() {
  RankedTensorType a = getAType(), b = getBType(), result = getResultType();
  int64_t rank = result.getRank();
  // (dot_c1)
  bool areMatrices = (rank == 2 || rank == 3) && a.getRank() == rank && b.getRank() == rank;
  if (!areMatrices ||
      (rank == 3 && (a.getShape()[0] != result.getShape()[0] || b.getShape()[0] != result.getShape()[0])))
    return emitOpError() << "expected matrices, or batches of as many matrices each, found " << a << ", " << b
                         << " and " << result;
  // (dot_c2)
  ArrayRef<int64_t> sidesA = a.getShape().take_back(2), sidesB = b.getShape().take_back(2),
                    sides = result.getShape().take_back(2);
  if (sidesA[0] != sides[0] || sidesB[1] != sides[1] || sidesA[1] != sidesB[0])
    return emitOpError() << "expected M by K, K by N and M by N elements, found " << a << ", " << b << " and "
                         << result;
  // (dot_c3)
  if (!mayMultiply(a.getElementType(), b.getElementType(), result.getElementType()))
    return emitOpError() << "expected elements that can be multiplied and added up, found "
                         << a.getElementType() << " times " << b.getElementType() << " into "
                         << result.getElementType();
  // (dot_c4)
  bool hasLayout = layoutOf(result) != nullptr;
  if ((layoutOf(a) != nullptr) != hasLayout || (layoutOf(b) != nullptr) != hasLayout)
    return emitOpError() << "expected a layout on operands and result or on none, found " << a << ", " << b
                         << " and " << result;
  // (dot_c5)
  if (int32_t(getMaxImprecise()) < 0)
    return emitOpError() << "expected a number of imprecise additions, found " << int32_t(getMaxImprecise());
  return success();
}
