#include "compiler/analysis/resources/RegisterCount.h"

#include "dialect/tile/Tile.h"

using namespace mlir;

uint32_t tegula::bitsOfElement(Type element) {
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
}

uint32_t tegula::registersOf(Type type) {
  tile::LayoutAttr layout = tile::layoutOf(type);
  Type element = tile::elementTypeOf(type);
  if (!layout || element.isInteger(1))
    return 0;
  return (uint32_t(layout.getLayout().inSize(Dim::Register)) * bitsOfElement(element) + 31) / 32;
}
