// Names, widths and IR forms of the language's types.
#include "compiler/frontend/values/Types.h"

#include "dialect/tile/Tile.h"
#include "mlir/IR/BuiltinTypes.h"

#include <array>
#include <fmt/format.h>

using namespace tegula;
using namespace tegula::eval;

namespace {

struct ScalarInfo {
  std::string_view name;      ///< as messages and `str(dtype)` have it
  std::string_view attribute; ///< as an attribute of `tl`
  uint8_t bits;
  uint8_t mantissa;
  uint16_t bias; ///< of a float's exponent
};

/// In the order of ScalarKind.
constexpr std::array<ScalarInfo, 18> scalarTable = {{
    {"int1", "int1", 1, 0, 0},
    {"int8", "int8", 8, 0, 0},
    {"int16", "int16", 16, 0, 0},
    {"int32", "int32", 32, 0, 0},
    {"int64", "int64", 64, 0, 0},
    {"uint8", "uint8", 8, 0, 0},
    {"uint16", "uint16", 16, 0, 0},
    {"uint32", "uint32", 32, 0, 0},
    {"uint64", "uint64", 64, 0, 0},
    {"fp16", "float16", 16, 10, 15},
    {"bf16", "bfloat16", 16, 7, 127},
    {"fp32", "float32", 32, 23, 127},
    {"fp64", "float64", 64, 52, 1023},
    {"fp8e4nv", "float8e4nv", 8, 3, 7},
    {"fp8e5", "float8e5", 8, 2, 15},
    {"fp8e4b15", "float8e4b15", 8, 3, 15},
    {"fp8e4b8", "float8e4b8", 8, 3, 8},
    {"fp8e5b16", "float8e5b16", 8, 2, 16},
}};

const ScalarInfo &info(ScalarKind kind) { return scalarTable[size_t(kind)]; }

} // namespace

unsigned Dtype::bits() const { return isPointer() ? 64 : info(scalar).bits; }
unsigned Dtype::mantissaBits() const { return info(scalar).mantissa; }
unsigned Dtype::exponentBias() const { return info(scalar).bias; }

std::string eval::typeName(Dtype dtype) {
  std::string name(info(dtype.scalar).name);
  for (unsigned depth = 0; depth < dtype.pointerDepth; ++depth)
    name = (dtype.isConst && depth + 1 == dtype.pointerDepth ? "const_pointer<" : "pointer<") + name + ">";
  return name;
}

std::string eval::shapeText(Shape shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

std::string eval::typeName(Dtype dtype, Shape shape) {
  return shape.empty() ? typeName(dtype) : typeName(dtype) + shapeText(shape);
}

std::string_view eval::dtypeAttribute(ScalarKind kind) { return info(kind).attribute; }

std::optional<Dtype> eval::dtypeByAttribute(std::string_view name) {
  for (size_t i = 0; i < scalarTable.size(); ++i)
    if (scalarTable[i].attribute == name)
      return Dtype{ScalarKind(i)};
  return std::nullopt;
}

std::optional<Dtype> eval::dtypeByName(std::string_view name) {
  uint8_t depth = 0;
  for (; name.starts_with('*') && depth < 8; ++depth)
    name.remove_prefix(1);
  std::optional<Dtype> found;
  if (std::optional<ScalarKind> kind = parseScalarKind(name))
    found = Dtype{*kind};
  for (size_t i = 0; i < scalarTable.size() && !found; ++i)
    if (scalarTable[i].name == name || scalarTable[i].attribute == name)
      found = Dtype{ScalarKind(i)};
  if (found)
    found->pointerDepth = depth;
  return found;
}

llvm::SmallVector<std::string_view> eval::dtypeAttributes() {
  auto attribute = [](const ScalarInfo &info) { return info.attribute; };
  return llvm::to_vector<0>(llvm::map_range(scalarTable, attribute));
}

static mlir::Type scalarType(mlir::MLIRContext *context, ScalarKind kind) {
  switch (kind) {
  case ScalarKind::Float8E4M3:
    return mlir::Float8E4M3FNType::get(context);
  case ScalarKind::Float8E5M2:
    return mlir::Float8E5M2Type::get(context);
  case ScalarKind::Float16:
    return mlir::Float16Type::get(context);
  case ScalarKind::BFloat16:
    return mlir::BFloat16Type::get(context);
  case ScalarKind::Float32:
    return mlir::Float32Type::get(context);
  case ScalarKind::Float64:
    return mlir::Float64Type::get(context);
  default:
    return mlir::IntegerType::get(context, info(kind).bits);
  }
}

mlir::Type eval::toMlir(mlir::MLIRContext *context, Dtype dtype) {
  mlir::Type type = scalarType(context, dtype.scalar);
  for (unsigned depth = 0; depth < dtype.pointerDepth; ++depth)
    type = tile::PtrType::get(type);
  return type;
}

mlir::Type eval::toMlir(mlir::MLIRContext *context, Dtype dtype, Shape shape) {
  mlir::Type element = toMlir(context, dtype);
  return shape.empty() ? element : mlir::RankedTensorType::get(shape, element);
}

Int eval::minOf(Dtype dtype) { return dtype.isUnsigned() ? Int(0) : -(Int(1) << (dtype.bits() - 1)); }
Int eval::maxOf(Dtype dtype) {
  return (Int(1) << (dtype.isUnsigned() ? dtype.bits() : dtype.bits() - 1)) - 1;
}

std::string eval::toString(Int value) { return fmt::format("{}", value); }

int64_t eval::elementsOf(Shape shape) { return mlir::ShapedType::getNumElements(shape); }
