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
  return kernel && (kernel->hasAttr("tile.pairs") || kernel->hasAttr("tile.cluster")) ? success()
                                                                                      : verifyInSplit(op);
}

/// Programs are clusters of a number of blocks that the kernel says.
static LogicalResult verifyInSpread(Operation *op) {
  auto kernel = op->getParentOfType<FunctionOpInterface>();
  if (kernel && !kernel->hasAttr("tile.cluster"))
    return op->emitOpError("expected a kernel with `tile.cluster`");
  return success();
}

LogicalResult BlockIdOp::verify() { return verifyInPersistent(*this); }   // (block_id_c1)
LogicalResult NumBlocksOp::verify() { return verifyInPersistent(*this); } // (num_blocks_c1)
LogicalResult ClusterRankOp::verify() { return verifyInCluster(*this); }  // (cluster_rank_c1)
LogicalResult ClusterSizeOp::verify() { return verifyInCluster(*this); }  // (cluster_size_c1)

LogicalResult ClusterBarrierOp::verify() {
  // (cluster_barrier_c1)
  auto kernel = (*this)->getParentOfType<FunctionOpInterface>();
  if (kernel && !kernel->hasAttr("tile.pairs") && !kernel->hasAttr("tile.cluster"))
    return emitOpError("expected a kernel with `tile.pairs` or `tile.cluster`");
  return success();
}

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// No block may come to an op of its cluster more often than another, and what it orders stays on its side.
static void addClusterEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SharedMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), SharedMemory::get());
}

void ClusterBarrierOp::getEffects(Effects &effects) { addClusterEffects(effects); }
void ClusterArriveOp::getEffects(Effects &effects) { addClusterEffects(effects); }
void ClusterWaitOp::getEffects(Effects &effects) { addClusterEffects(effects); }
void ClusterGatherOp::getEffects(Effects &effects) { addClusterEffects(effects); }
void ClusterSumOp::getEffects(Effects &effects) { addClusterEffects(effects); }

tile::Interaction ClusterBarrierOp::getInteractions() { return tile::Interaction::SyncsThreads; }
tile::Interaction ClusterArriveOp::getInteractions() { return tile::Interaction::None; }
tile::Interaction ClusterWaitOp::getInteractions() {
  return tile::Interaction::SyncsThreads | tile::Interaction::MetBefore;
}
tile::Interaction ClusterGatherOp::getInteractions() { return tile::Interaction::SyncsThreads; }

LogicalResult ClusterArriveOp::verify() { return verifyInSpread(*this); } // (cluster_arrive_c1)
LogicalResult ClusterWaitOp::verify() { return verifyInSpread(*this); }   // (cluster_wait_c1)

LogicalResult ClusterGatherOp::verify() {
  // (cluster_gather_c2)
  if (getSources().size() != getGathered().size())
    return emitOpError() << "expected a result for each source, found " << getSources().size()
                         << " sources and " << getGathered().size() << " results";
  auto kernel = (*this)->getParentOfType<FunctionOpInterface>();
  auto blocks = kernel ? kernel->getAttrOfType<IntegerAttr>("tile.cluster") : IntegerAttr();
  for (auto [source, result] : llvm::zip_equal(getSources(), getGathered())) {
    auto type = cast<RankedTensorType>(result.getType());
    if (type.getElementType() != source.getType())
      return emitOpError() << "expected elements of " << source.getType() << ", found "
                           << type.getElementType();
    // (cluster_gather_c1)
    if (type.getRank() != 1 || (blocks && type.getDimSize(0) != blocks.getInt()))
      return emitOpError() << "expected an element for each block of the cluster, found " << type;
  }
  return verifyInSpread(*this);
}

LogicalResult ClusterSumOp::verify() {
  // (cluster_sum_c2)
  const Type element = tile::elementTypeOf(getSource().getType());
  if (!element.isF32() && !element.isF64() && !element.isInteger(32))
    return emitOpError() << "expected elements of f32, f64 or i32, found " << element;
  return verifyInSplit(*this); // (cluster_sum_c1)
}
