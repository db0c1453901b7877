#include "compiler/analysis/resources/RegisterCount.h"

#include "dialect/tile/Tile.h"

using namespace mlir;

uint32_t tegula::registersOf(Type type) {
  tile::LayoutAttr layout = tile::layoutOf(type);
  Type element = tile::elementTypeOf(type);
  if (!layout || element.isInteger(1))
    return 0;
  uint32_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return (uint32_t(layout.getLayout().inSize(Dim::Register)) * bits + 31) / 32;
}
