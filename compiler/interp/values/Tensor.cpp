#include "compiler/interp/values/Tensor.h"

#include "dialect/tile/Tile.h"

#include "mlir/IR/BuiltinTypes.h"

namespace tegula::interp {

static bool isScalar(mlir::Type type) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type))
    return integer.getWidth() <= 64;
  return mlir::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type, mlir::Float16Type, mlir::BFloat16Type,
                   mlir::Float32Type, mlir::Float64Type, tile::PtrType>(type);
}

bool isInterpretable(mlir::Type type) {
  if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type))
    return tensor.hasStaticShape() && tensor.getNumElements() <= tile::MaxTensorElements &&
           isScalar(tensor.getElementType());
  return isScalar(type) || mlir::isa<tile::ViewType, tile::BoxType>(type);
}

Element::Element(mlir::Type scalarOrTensor) {
  mlir::Type type = tile::elementTypeOf(scalarOrTensor);
  if (mlir::isa<mlir::Float8E4M3FNType>(type))
    kind = Float8E4M3;
  else if (mlir::isa<mlir::Float8E5M2Type>(type))
    kind = Float8E5M2;
  else if (type.isF16())
    kind = Float16;
  else if (type.isBF16())
    kind = BFloat16;
  else if (type.isF32())
    kind = Float32;
  else if (type.isF64())
    kind = Float64;
  else if (mlir::isa<tile::PtrType>(type))
    kind = Pointer;
  bits = kind == Pointer ? 64 : uint8_t(type.getIntOrFloatBitWidth());
}

size_t elementCount(mlir::Type type) {
  if (auto view = mlir::dyn_cast<tile::ViewType>(type))
    return 1 + 2 * size_t(view.getRank());
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor ? size_t(tensor.getNumElements()) : 1;
}

llvm::ArrayRef<int64_t> shapeOf(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor ? tensor.getShape() : llvm::ArrayRef<int64_t>();
}

size_t strideOf(llvm::ArrayRef<int64_t> shape, size_t dim) {
  size_t stride = 1;
  for (size_t inner = dim + 1; inner < shape.size(); ++inner)
    stride *= size_t(shape[inner]);
  return stride;
}

std::string elementName(mlir::Type type, size_t index) {
  std::string name;
  llvm::ArrayRef<int64_t> shape = shapeOf(type);
  for (size_t dim = shape.size(); dim-- > 0;) {
    name = std::to_string(index % size_t(shape[dim])) + (name.empty() ? "" : ", " + name);
    index /= size_t(shape[dim]);
  }
  return name.empty() ? name : "(" + name + ")";
}

Tensor::Tensor(mlir::Type type) : type(type) { bits.resize(elementCount(type)); }

Tensor Tensor::scalar(mlir::Type type, uint64_t bits) {
  Tensor made;
  made.type = type;
  made.bits.push_back(bits);
  return made;
}

void Tensor::setUndefined(size_t index) {
  if (undefined.empty())
    undefined.resize(size());
  undefined[index] = 1;
}

} // namespace tegula::interp
