#include "compiler/analysis/plans/LoopStages.h"

#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tegula {

static bool hasDot(scf::ForOp loop) {
  return loop.getBody()
      ->walk<WalkOrder::PreOrder>([](Operation *op) {
        if (isa<LoopLikeOpInterface>(op))
          return WalkResult::skip();
        return isa<tile::DotOp, tgpu::MmaOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

uint32_t stagesOf(scf::ForOp loop) {
  auto hints = loop->getAttrOfType<tile::LoopAttr>("tile.loop");
  if (hints && hints.getStages())
    return hints.getStages();
  auto kernel = loop->getParentOfType<func::FuncOp>()->getAttrOfType<tile::KernelAttr>("tile.kernel");
  return kernel && hasDot(loop) ? kernel.getStages() : 1;
}

} // namespace tegula
