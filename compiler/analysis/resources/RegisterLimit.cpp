#include "compiler/analysis/resources/RegisterLimit.h"

#include "compiler/analysis/plans/Executor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

/// A multiprocessor has as many parts, each with its registers and its share of a block's warps.
static constexpr uint32_t Parts = 4;
/// Registers of a thread are given out by as many.
static constexpr uint32_t RegisterStep = 8;

uint32_t registersWithWarps(unsigned warps, const Target &target) {
  const uint32_t ofPart = target.registersPerMultiprocessor / (Parts * target.warpSize);
  const uint32_t share = ofPart / ((warps + Parts - 1) / Parts);
  return std::min(target.maxRegistersPerThread, share - share % RegisterStep);
}

uint32_t registerLimit(Operation *op, const Target &target) {
  auto kernel = dyn_cast<func::FuncOp>(op);
  if (!kernel)
    kernel = op->getParentOfType<func::FuncOp>();
  auto asked = kernel ? kernel->getAttrOfType<IntegerAttr>("tile.registers") : IntegerAttr();
  const uint32_t most = asked ? uint32_t(asked.getInt()) : target.maxRegistersPerThread;
  return std::min(registersWithWarps(warpsOfBlock(op), target), most);
}

} // namespace tegula
