#include "compiler/lower/Symbols.h"
#include "compiler/lower/code/GroupProductCode.h"
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula {

Type loweredElementType(Type type) {
  Type element = tile::elementTypeOf(type);
  if (isa<tile::PtrType>(element))
    return LLVM::LLVMPointerType::get(type.getContext(), GlobalAddressSpace);
  // No unit computes in 8 bits; a byte is what registers and memory hold.
  if (isa<Float8E4M3FNType, Float8E5M2Type>(element))
    return IntegerType::get(type.getContext(), 8);
  return element;
}

TileTypeConverter::TileTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](tile::PtrType type) { return loweredElementType(type); });
  addConversion([](FloatType type) { return loweredElementType(type); });
  addConversion([](tgpu::BufferType type) {
    return Type(LLVM::LLVMPointerType::get(type.getContext(), SharedAddressSpace));
  });
  addConversion([](tgpu::BarriersType type) {
    return Type(LLVM::LLVMPointerType::get(type.getContext(), SharedAddressSpace));
  });
  addConversion([](tgpu::MapType type) { return Type(LLVM::LLVMPointerType::get(type.getContext())); });
  addConversion([](tgpu::InFlightType type, SmallVectorImpl<Type> &results) -> std::optional<LogicalResult> {
    OpBuilder builder(type.getContext());
    Type sum = type.getTensor().getElementType();
    size_t elements = size_t(tile::layoutOf(type.getTensor()).getLayout().inSize(Dim::Register));
    results.append(elements / (sum.isF16() ? 2 : 1), inFlightRegister(builder, sum));
    return success();
  });
  addConversion(
      [](tgpu::PipelineStateType type, SmallVectorImpl<Type> &results) -> std::optional<LogicalResult> {
        results.append(2, IntegerType::get(type.getContext(), 32));
        return success();
      });
  addConversion([](RankedTensorType type, SmallVectorImpl<Type> &results) -> std::optional<LogicalResult> {
    tile::LayoutAttr layout = tile::layoutOf(type);
    if (!layout)
      return failure(); // the stage before leaves no such tensor
    results.append(size_t(layout.getLayout().inSize(Dim::Register)), loweredElementType(type));
    return success();
  });
}

} // namespace tegula
