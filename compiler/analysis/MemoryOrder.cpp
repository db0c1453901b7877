#include "compiler/analysis/MemoryOrder.h"

#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tegula {

/// Whether an op that reads or writes memory, or has another effect, may run after `op`.
static bool isFollowed(Operation *op) {
  for (;; op = op->getParentOp()) {
    for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
      if (!isMemoryEffectFree(next))
        return true;
    Operation *parent = op->getParentOp();
    if (isa<FunctionOpInterface>(parent))
      return false;
    if (!isa<scf::IfOp>(parent)) // a loop comes round to what stands before
      return true;
  }
}

bool accessesMemory(Operation *op) {
  return isa<tile::LoadOp, tile::StoreOp, tile::AtomicRMWOp, tile::AtomicCASOp, tgpu::AsyncCopyOp,
             tgpu::BulkCopyOp, tgpu::BulkStoreOp>(op);
}

bool orders(Operation *op, tile::MemoryOrder order) {
  std::optional<tile::MemoryOrder> found;
  if (auto rmw = dyn_cast<tile::AtomicRMWOp>(op); rmw && !isa<ShapedType>(rmw.getResult().getType()))
    found = rmw.getOrder();
  if (auto cas = dyn_cast<tile::AtomicCASOp>(op); cas && !isa<ShapedType>(cas.getResult().getType()))
    found = cas.getOrder();
  return found && (*found == order || *found == tile::MemoryOrder::AcquireRelease);
}

llvm::DenseSet<Operation *> findLastAtomics(ModuleOp module) {
  llvm::DenseSet<Operation *> last;
  module.walk([&](Operation *op) {
    if (isa<tile::AtomicRMWOp, tile::AtomicCASOp>(op) && !isFollowed(op))
      last.insert(op);
  });
  return last;
}

} // namespace tegula
