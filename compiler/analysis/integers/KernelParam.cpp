#include "compiler/analysis/integers/KernelParam.h"

using namespace mlir;

namespace tegula {

bool isParameter(Value value) {
  auto argument = dyn_cast_if_present<BlockArgument>(value);
  return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
}

tile::ParamAttr paramOf(Value value) {
  if (!isParameter(value))
    return {};
  auto argument = cast<BlockArgument>(value);
  return cast<func::FuncOp>(argument.getOwner()->getParentOp())
      .getArgAttrOfType<tile::ParamAttr>(argument.getArgNumber(), "tile.param");
}

} // namespace tegula
