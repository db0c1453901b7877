// Verifiers of the op that runs a function of scalars for every element.
#include "dialect/tile/Tile.h"

using namespace mlir;
using namespace tegula::tile;

LogicalResult MapOp::verify() {
  // (map_c1)
  if (int32_t(getPack()) < 1)
    return emitOpError() << "expected at least one element a pack, found " << int32_t(getPack());
  if (getOperands().empty() || getResults().empty())
    return emitOpError("expected an operand and a result");
  return success();
}

/// `pack` times the element of each of `types`.
static SmallVector<Type> packed(TypeRange types, uint32_t pack) {
  SmallVector<Type> elements;
  for (Type type : types)
    elements.append(pack, elementTypeOf(type));
  return elements;
}

LogicalResult MapOp::verifyRegions() {
  Block &block = getBody().front();
  // (map_c2)
  if (block.getArgumentTypes() != ArrayRef<Type>(packed(getOperandTypes(), getPack())))
    return emitOpError() << "expected a region of " << getOperands().size() * getPack()
                         << " arguments of the operands' elements";
  if (block.getTerminator()->getOperandTypes() != ArrayRef<Type>(packed(getResultTypes(), getPack())))
    return emitOpError() << "expected the region to yield " << getNumResults() * getPack()
                         << " values of the results' elements";
  // (map_c3)
  if (Operation *culprit = firstThatIsNoScalarCode(block))
    return emitOpError() << "expected a region of scalar ops that assert and print at most, found `"
                         << culprit->getName() << "`";
  return success();
}
