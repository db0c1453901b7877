#include "compiler/lower/AccessWidths.h"
#include "compiler/analysis/MemoryAccess.h"

#include "dialect/tile/Tile.h"

using namespace mlir;

namespace tegula {

AccessWidths computeAccessWidths(ModuleOp module) {
  AccessWidths widths;
  AxisInfoAnalysis facts(module);
  module.walk([&](Operation *op) {
    if (isa<tile::LoadOp, tile::StoreOp, tile::AtomicRMWOp>(op))
      if (std::optional<MemoryAccess> access = analyzeAccess(op, facts))
        widths[op].assign(access->runs.begin(), access->runs.end());
  });
  return widths;
}

} // namespace tegula
