#include "compiler/lower/Patterns.h"
#include "compiler/lower/Symbols.h"
#include "dialect/tile/Tile.h"

using namespace mlir;

namespace tegula {

Type loweredElementType(Type type) {
  Type element = tile::elementTypeOf(type);
  if (isa<tile::PtrType>(element))
    return LLVM::LLVMPointerType::get(type.getContext(), GlobalAddressSpace);
  return element;
}

TileTypeConverter::TileTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](tile::PtrType type) { return loweredElementType(type); });
  addConversion([](RankedTensorType type, SmallVectorImpl<Type> &results) -> std::optional<LogicalResult> {
    tile::LayoutAttr layout = tile::layoutOf(type);
    if (!layout)
      return failure(); // the stage before leaves no such tensor
    results.append(size_t(layout.getLayout().inSize(Dim::Register)), loweredElementType(type));
    return success();
  });
}

} // namespace tegula
