#include "compiler/analysis/effects/MemoryOrder.h"

#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula {

bool orders(Operation *op, tile::MemoryOrder order) {
  tile::GlobalAccess access = tile::globalAccessOf(op);
  const bool isUpdate = access.reads && access.writes;
  return access.includes(order) && !(isUpdate && isa<ShapedType>(access.address.getType()));
}

bool comesAfter(Operation *later, Operation *earlier) {
  for (; later; later = later->getParentOp())
    if (Block *block = later->getBlock())
      if (Operation *other = block->findAncestorOpInBlock(*earlier))
        return other != later && other->isBeforeInBlock(later);
  return false;
}

/// Returns whether `loop` is that of a persistent kernel's block over its programs.
static bool isOverPrograms(LoopLikeOpInterface loop) {
  auto counted = dyn_cast<scf::ForOp>(loop.getOperation());
  return counted && counted.getLowerBound().getDefiningOp<tgpu::BlockIdOp>();
}

bool areExclusive(Operation *a, Operation *b) {
  bool isExclusive = false;
  for (Operation *inside = a, *parent; (parent = inside->getParentOp()); inside = parent) {
    auto loop = dyn_cast<LoopLikeOpInterface>(parent);
    if (isExclusive && loop && !isOverPrograms(loop))
      return false;
    isExclusive |= isa<scf::IfOp>(parent) && parent->isProperAncestor(b) &&
                   !inside->getParentRegion()->findAncestorOpInRegion(*b);
  }
  return isExclusive;
}

bool mayFollow(Operation *later, Operation *earlier) {
  for (auto loop = later->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (loop->isAncestor(earlier) && !isOverPrograms(loop))
      return true;
  return comesAfter(later, earlier);
}

} // namespace tegula
