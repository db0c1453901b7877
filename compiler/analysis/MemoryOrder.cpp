#include "compiler/analysis/MemoryOrder.h"

#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tegula {

bool accessesMemory(Operation *op) {
  return isa<tile::LoadOp, tile::StoreOp, tile::AtomicRMWOp, tile::AtomicCASOp, tgpu::AsyncCopyOp,
             tgpu::BulkCopyOp, tgpu::BulkStoreOp>(op);
}

/// The order of an atomic op.
static std::optional<tile::MemoryOrder> orderOf(Operation *op) {
  if (auto rmw = dyn_cast<tile::AtomicRMWOp>(op))
    return rmw.getOrder();
  if (auto cas = dyn_cast<tile::AtomicCASOp>(op))
    return cas.getOrder();
  return std::nullopt;
}

static bool includes(std::optional<tile::MemoryOrder> found, tile::MemoryOrder order) {
  return found && (*found == order || *found == tile::MemoryOrder::AcquireRelease);
}

bool orders(Operation *op, tile::MemoryOrder order) {
  return includes(orderOf(op), order) && !isa<ShapedType>(op->getResult(0).getType());
}

bool acquires(Operation *op) { return includes(orderOf(op), tile::MemoryOrder::Acquire); }

bool asksOfDevice(Operation *op) {
  return isa<tile::InlineAsmOp, tile::ReadSpecialOp, tile::GridDependencyOp>(op);
}

bool standsBehind(Operation *later, Operation *earlier) {
  for (; later; later = later->getParentOp())
    if (Block *block = later->getBlock())
      if (Operation *beside = block->findAncestorOpInBlock(*earlier))
        return beside != later && beside->isBeforeInBlock(later);
  return false;
}

/// Whether `loop` is that of a persistent kernel's block over its programs.
static bool isOverPrograms(LoopLikeOpInterface loop) {
  auto counted = dyn_cast<scf::ForOp>(loop.getOperation());
  return counted && counted.getLowerBound().getDefiningOp<tgpu::BlockIdOp>();
}

bool mayFollow(Operation *later, Operation *earlier) {
  for (auto loop = later->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (loop->isAncestor(earlier) && !isOverPrograms(loop))
      return true;
  return standsBehind(later, earlier);
}

} // namespace tegula
