#include "compiler/analysis/plans/LoopStages.h"

#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/plans/Executor.h"

using namespace mlir;

namespace tegula {

static bool hasDot(scf::ForOp loop) {
  return anyOp(loop, [&](Operation *op) {
    return isa<tile::DotOp, tgpu::MmaOp>(op) && op->getParentOfType<LoopLikeOpInterface>() == loop;
  });
}

uint32_t stagesOf(scf::ForOp loop) {
  auto hints = loop->getAttrOfType<tile::LoopAttr>("tile.loop");
  if (hints && hints.getStages())
    return hints.getStages();
  tile::KernelAttr kernel = kernelOf(loop);
  return kernel && hasDot(loop) ? kernel.getStages() : 1;
}

} // namespace tegula
