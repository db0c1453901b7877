#include "compiler/analysis/resources/HeldAcross.h"

using namespace mlir;

namespace tegula {

llvm::SmallVector<Value> heldAcross(tile::DotOp dot) {
  Block &body = *dot->getBlock();
  auto isLater = [&](Operation *user) {
    Operation *own = body.findAncestorOpInBlock(*user);
    return own && dot->isBeforeInBlock(own) && !own->hasTrait<OpTrait::IsTerminator>();
  };
  llvm::SmallVector<Value> held;
  for (Operation &op : llvm::make_range(body.begin(), dot->getIterator()))
    if (isa<tile::DotOp>(op) || op.hasTrait<OpTrait::Elementwise>())
      for (Value value : op.getResults())
        if (isa<FloatType>(getElementTypeOrSelf(value)) && llvm::any_of(value.getUsers(), isLater))
          held.push_back(value);
  return held;
}

} // namespace tegula
