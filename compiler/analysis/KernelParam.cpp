#include "compiler/analysis/KernelParam.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tegula {

tile::ParamAttr paramOf(Value value) {
  auto argument = dyn_cast_if_present<BlockArgument>(value);
  auto kernel = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  return kernel ? kernel.getArgAttrOfType<tile::ParamAttr>(argument.getArgNumber(), "tile.param")
                : tile::ParamAttr();
}

} // namespace tegula
