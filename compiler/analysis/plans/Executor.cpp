#include "compiler/analysis/plans/Executor.h"

#include <bit>

using namespace mlir;

namespace tegula {

unsigned Executor::warpBits() const { return unsigned(std::bit_width(warps) - 1); }

Executors::Executors(func::FuncOp function) {
  if (tile::KernelAttr kernel = kernelOf(function))
    computing.warps = kernel.getWarps();
  whole = computing;
  tgpu::ProducerOp producer = producerOf(function);
  if (!producer)
    return;
  computing.barrier = ComputeBarrier;
  whole.warps += producer.getWarps();
  loading = {.firstWarp = computing.warps, .warps = producer.getWarps(), .isOneThread = true};
  producer->walk([&](Operation *op) { ofProducer.insert(op); }); // itself as well
  for (Operation *op = producer->getPrevNode(); op; op = op->getPrevNode())
    if (isa<tgpu::BarriersInitOp>(op)) // nothing else is done by threads
      ofAll.insert(op);
}

Executor Executors::of(Operation *op) const {
  if (ofProducer.contains(op))
    return loading;
  return ofAll.contains(op) ? whole : computing;
}

func::FuncOp functionOf(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  return function ? function : op->getParentOfType<func::FuncOp>();
}

Executor executorOf(Operation *op) { return Executors(functionOf(op)).of(op); }

tile::KernelAttr kernelOf(Operation *op) {
  func::FuncOp function = functionOf(op);
  return function ? function->getAttrOfType<tile::KernelAttr>("tile.kernel") : tile::KernelAttr();
}

tgpu::ProducerOp producerOf(func::FuncOp kernel) {
  if (kernel.isExternal())
    return {};
  auto producers = kernel.getBody().front().getOps<tgpu::ProducerOp>();
  return producers.empty() ? tgpu::ProducerOp() : *producers.begin();
}

unsigned blocksOfSplit(func::FuncOp kernel) {
  auto splits = kernel->getAttrOfType<DictionaryAttr>("tile.splits");
  auto blocks = splits ? splits.getAs<IntegerAttr>("blocks") : IntegerAttr();
  return blocks ? unsigned(blocks.getInt()) : 1;
}

unsigned blocksOfCluster(func::FuncOp kernel) {
  auto blocks = kernel->getAttrOfType<IntegerAttr>("tile.cluster");
  return blocks ? unsigned(blocks.getInt()) : 1;
}

bool runsInClusters(func::FuncOp kernel) { return blocksOfSplit(kernel) > 1 || blocksOfCluster(kernel) > 1; }

unsigned warpsOfBlock(Operation *op) {
  tile::KernelAttr kernel = kernelOf(op);
  if (!kernel)
    return 1;
  tgpu::ProducerOp producer = producerOf(functionOf(op));
  return kernel.getWarps() * kernel.getPrograms() + (producer ? producer.getWarps() : 0);
}

} // namespace tegula
