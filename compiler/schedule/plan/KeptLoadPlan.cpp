#include "compiler/schedule/plan/KeptLoadPlan.h"

#include "compiler/schedule/plan/LoopDecisions.h"

using namespace mlir;

namespace tegula {

/// Returns whether `store` alone fills `buffer`, and products in a producer's loops behind it alone read it.
static bool isKeptForProducts(tgpu::LocalStoreOp store, tgpu::AllocOp buffer) {
  auto isReader = [&](Operation *op) {
    auto loop = dyn_cast_if_present<scf::ForOp>(op->getParentOp());
    return isa<tgpu::MmaOp>(op) && loop && loop->getBlock() == store->getBlock() && isByProducer(loop) &&
           store->isBeforeInBlock(loop);
  };
  return buffer && buffer.getType().getSlots() == 1 &&
         llvm::all_of(buffer->getUsers(), [&](Operation *op) { return op == store || isReader(op); });
}

std::vector<PlannedLoad> planKeptLoads(func::FuncOp kernel, Block &program) {
  const KernelEffects effects(kernel);
  PlannedMemory memory(kernel);
  std::vector<PlannedLoad> loads;
  SmallVector<tgpu::AllocOp> buffers;
  for (auto store : program.getOps<tgpu::LocalStoreOp>()) {
    auto load = store.getSource().getDefiningOp<tile::LoadOp>();
    auto buffer = store.getBuffer().getDefiningOp<tgpu::AllocOp>();
    if (!load || !load->hasOneUse() || load->getBlock() != store->getBlock() ||
        !isKeptForProducts(store, buffer))
      continue;
    Decision<TmaAccess> source = tmaAccessOf(load, buffer, effects);
    if (!source || !canPlaceAlone(source->box))
      continue;
    buffers.push_back(buffer);
    if (!memory.needKeeping(buffers).hasRoom())
      break;
    loads.push_back(
        {.load = load, .by = tgpu::FetchKind::Tma, .store = store, .buffer = buffer, .source = *source});
  }
  return loads;
}

} // namespace tegula
