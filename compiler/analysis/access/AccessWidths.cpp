#include "compiler/analysis/access/AccessWidths.h"
#include "compiler/analysis/access/MemoryAccess.h"

#include "dialect/layout/Layouts.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/IR/Matchers.h"

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

/// Returns the bits of a register's number that leave elements equal, as far as `info` tells of values laid
/// out by `layout`.
static uint32_t equalBits(const LinearLayout &layout, const AxisInfo &info) {
  uint32_t equal = 0;
  for (unsigned bit = 0; info.isComputed() && bit < layout.inBits(Dim::Register); ++bit) {
    // Groups of equal elements are aligned, so a bit inside one along each axis never leaves it.
    bool inside = true;
    for (unsigned axis = 0; axis < info.rank(); ++axis)
      inside &= layout.unpackOut(layout.column(Dim::Register, bit), tensorDim(axis)) < info[axis].constancy;
    equal |= inside ? 1u << bit : 0;
  }
  return equal;
}

/// Returns whether all elements of `value` are one: a constant's, or a scalar's.
static bool isOneValue(Value value) {
  DenseElementsAttr constant;
  return value.getDefiningOp<tile::SplatOp>() ||
         (matchPattern(value, m_Constant(&constant)) && constant.isSplat());
}

/// Returns the bits that leave the address of a load and its mask equal.
static uint32_t equalBits(tile::LoadOp load, const LinearLayout &layout, const AxisInfoAnalysis &facts) {
  if (load.getIsVolatile() || (load.getOther() && !isOneValue(load.getOther())))
    return 0;
  uint32_t equal = equalBits(layout, facts.of(load.getPointer()));
  if (load.getMask())
    equal &= equalBits(layout, facts.of(load.getMask()));
  return equal;
}

EqualRegisters computeEqualRegisters(ModuleOp module, const AxisInfoAnalysis &facts, const SignTrust &trust) {
  EqualRegisters equal;
  module.walk([&](Operation *op) {
    const bool isArithmetic = isa<arith::ArithDialect>(op->getDialect()) && !isa<arith::ConstantOp>(op);
    auto load = dyn_cast<tile::LoadOp>(op);
    if (op->getNumResults() != 1 || !(isArithmetic || load))
      return;
    Value result = op->getResult(0);
    tile::LayoutAttr layout = tile::layoutOf(result.getType());
    if (!layout || (!load && !tile::elementTypeOf(result.getType()).isInteger()))
      return;
    if (const uint32_t bits = load ? equalBits(load, layout.getLayout(), trust.forGroupsOf(load, facts))
                                   : equalBits(layout.getLayout(), facts.of(result)))
      equal[op] = bits;
  });
  return equal;
}

} // namespace tegula
