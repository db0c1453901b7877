// Ops on blocks of the launch, and on those of a cluster.
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tgpu;

static LogicalResult verifyInPersistent(Operation *op) {
  auto kernel = op->getParentOfType<FunctionOpInterface>();
  if (kernel && !kernel->hasAttr("tile.persistent"))
    return op->emitOpError("expected a kernel with `tile.persistent`: else blocks are programs");
  return success();
}

/// The blocks of a cluster share the work of programs only where the kernel says so.
static LogicalResult verifyInSplit(Operation *op) {
  auto kernel = op->getParentOfType<FunctionOpInterface>();
  auto splits = kernel ? kernel->getAttrOfType<DictionaryAttr>("tile.splits") : DictionaryAttr();
  if (kernel && !(splits && splits.contains("blocks")))
    return op->emitOpError("expected a kernel whose `tile.splits` has `blocks`");
  return success();
}

/// Returns what verifies that blocks have clusters: of blocks that share a program, or of pairs.
static LogicalResult verifyInCluster(Operation *op) {
  auto kernel = op->getParentOfType<FunctionOpInterface>();
  return kernel && kernel->hasAttr("tile.pairs") ? success() : verifyInSplit(op);
}

LogicalResult BlockIdOp::verify() { return verifyInPersistent(*this); }   // (block_id_c1)
LogicalResult NumBlocksOp::verify() { return verifyInPersistent(*this); } // (num_blocks_c1)
LogicalResult ClusterRankOp::verify() { return verifyInCluster(*this); }  // (cluster_rank_c1)
LogicalResult ClusterSizeOp::verify() { return verifyInCluster(*this); }  // (cluster_size_c1)

LogicalResult ClusterBarrierOp::verify() {
  // (cluster_barrier_c1)
  auto kernel = (*this)->getParentOfType<FunctionOpInterface>();
  if (kernel && !kernel->hasAttr("tile.pairs"))
    return emitOpError("expected a kernel with `tile.pairs`");
  return success();
}

void ClusterBarrierOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SharedMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), SharedMemory::get());
}

tile::Interaction ClusterBarrierOp::getInteractions() { return tile::Interaction::SyncsThreads; }

LogicalResult ClusterSumOp::verify() {
  // (cluster_sum_c2)
  const Type element = tile::elementTypeOf(getSource().getType());
  if (!element.isF32() && !element.isF64() && !element.isInteger(32))
    return emitOpError() << "expected elements of f32, f64 or i32, found " << element;
  return verifyInSplit(*this); // (cluster_sum_c1)
}

/// Not for the sake of memory of this block's, which is scratch: but no block may come here more often than
/// another.
void ClusterSumOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SharedMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), SharedMemory::get());
}
