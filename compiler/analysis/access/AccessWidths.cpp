#include "compiler/analysis/access/AccessWidths.h"
#include "compiler/analysis/access/MemoryAccess.h"

#include "dialect/layout/Layouts.h"
#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula {

AccessWidths computeAccessWidths(ModuleOp module, const AxisInfoAnalysis &facts) {
  AccessWidths widths;
  module.walk([&](Operation *op) {
    if (std::optional<MemoryAccess> access = analyzeAccess(op, facts))
      widths[op].assign(access->runs.begin(), access->runs.end());
  });
  return widths;
}

EqualRegisters computeEqualRegisters(ModuleOp module, const AxisInfoAnalysis &facts) {
  EqualRegisters equal;
  module.walk([&](Operation *op) {
    if (!isa<arith::ArithDialect>(op->getDialect()) || op->getNumResults() != 1 || isa<arith::ConstantOp>(op))
      return;
    Value result = op->getResult(0);
    tile::LayoutAttr attribute = tile::layoutOf(result.getType());
    AxisInfo info = facts.of(result);
    if (!attribute || !info.isComputed() || !tile::elementTypeOf(result.getType()).isInteger())
      return;
    const LinearLayout &layout = attribute.getLayout();
    uint32_t mask = 0;
    for (unsigned bit = 0; bit < layout.inBits(Dim::Register); ++bit) {
      // Groups of equal elements are aligned, so a bit inside one along each axis never leaves it.
      bool inside = true;
      for (unsigned axis = 0; axis < info.rank(); ++axis)
        inside &= layout.unpackOut(layout.column(Dim::Register, bit), tensorDim(axis)) < info[axis].constancy;
      mask |= inside ? 1u << bit : 0;
    }
    if (mask)
      equal[op] = mask;
  });
  return equal;
}

} // namespace tegula
