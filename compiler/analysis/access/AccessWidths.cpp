#include "compiler/analysis/access/AccessWidths.h"
#include "compiler/analysis/access/MemoryAccess.h"

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

/// Returns the bits of a register's number that leave elements equal which `layout` lays out, and which are
/// equal in aligned groups so long along each axis; none where nothing is known of groups.
static uint32_t equalBits(const LinearLayout &layout, ArrayRef<unsigned> groups) {
  uint32_t equal = 0;
  for (unsigned bit = 0; !groups.empty() && bit < layout.inBits(Dim::Register); ++bit) {
    // Groups of equal elements are aligned, so a bit inside one along each axis never leaves it.
    bool inside = true;
    for (auto [axis, group] : llvm::enumerate(groups))
      inside &=
          layout.unpackOut(layout.column(Dim::Register, bit), tensorDim(unsigned(axis))) < int64_t(group);
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

/// Returns whether equal addresses and mask bits of `load` mean equal elements.
static bool isReadOnce(tile::LoadOp load) {
  return !load.getIsVolatile() && (!load.getOther() || isOneValue(load.getOther()));
}

EqualRegisters computeEqualRegisters(ModuleOp module, const SignTrust &trust) {
  EqualRegisters equal;
  module.walk([&](Operation *op) {
    if (op->getNumResults() != 1)
      return;
    Value result = op->getResult(0);
    tile::LayoutAttr layout = tile::layoutOf(result.getType());
    if (!layout)
      return;
    SmallVector<unsigned, 4> groups;
    if (auto load = dyn_cast<tile::LoadOp>(op); load && isReadOnce(load))
      groups = trust.groupsOf(load);
    else if (isa<arith::ArithDialect>(op->getDialect()) && !isa<arith::ConstantOp>(op) &&
             tile::elementTypeOf(result.getType()).isInteger())
      groups = equalGroups(result, trust.provenUnhinted());
    if (const uint32_t bits = equalBits(layout.getLayout(), groups))
      equal[op] = bits;
  });
  return equal;
}

} // namespace tegula
