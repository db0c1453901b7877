#include "compiler/analysis/RegisterLimit.h"

#include "compiler/analysis/Executor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

uint32_t registerLimit(Operation *op, const Target &target) {
  const uint32_t share = target.registersPerMultiprocessor / (warpsOfBlock(op) * target.warpSize);
  auto kernel = dyn_cast<func::FuncOp>(op);
  if (!kernel)
    kernel = op->getParentOfType<func::FuncOp>();
  auto asked = kernel ? kernel->getAttrOfType<IntegerAttr>("tile.registers") : IntegerAttr();
  const uint32_t most = asked ? uint32_t(asked.getInt()) : target.maxRegistersPerThread;
  return std::min({target.maxRegistersPerThread, share, most});
}

} // namespace tegula
