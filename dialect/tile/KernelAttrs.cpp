// `tile.kernel`, `tile.param` and `tile.target`: what the front end says of a function, an argument
// and a module.
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tegula::tile;

namespace {

/// A block has at most 1024 threads, which is 32 warps.
constexpr uint32_t MaxWarps = 32;

/// No loop gains from more stages: each stage is a copy of its tiles in shared memory.
constexpr uint32_t MaxStages = 32;

/// The type that a parameter spelled `*fp32`, `u8` ... has in the IR; null for no spelling at all.
Type typeOfSpelling(StringRef spelling, MLIRContext *context) {
  StringRef scalar = spelling.ltrim('*');
  Builder b(context);
  Type type = llvm::StringSwitch<Type>(scalar)
                  .Case("i1", b.getI1Type())
                  .Cases({"i8", "u8"}, b.getI8Type())
                  .Cases({"i16", "u16"}, b.getIntegerType(16))
                  .Cases({"i32", "u32"}, b.getI32Type())
                  .Cases({"i64", "u64"}, b.getI64Type())
                  .Case("fp16", b.getF16Type())
                  .Case("bf16", b.getBF16Type())
                  .Case("fp32", b.getF32Type())
                  .Case("fp64", b.getF64Type())
                  .Default(Type());
  for (size_t stars = spelling.size() - scalar.size(); type && stars; --stars)
    type = PtrType::get(type);
  return type;
}

LogicalResult verifyKernel(Operation *op, Attribute value) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  // (kernel_c3)
  if (!function || function.isExternal())
    return op->emitError("expected `tile.kernel` on a function with a body");
  if (!isa<KernelAttr>(value))
    return op->emitError() << "expected a `#tile.kernel` as `tile.kernel`, found `" << value << "`";
  // (kernel_c4)
  if (function.getNumResults() != 0)
    return op->emitError() << "expected a kernel without results, found " << function.getNumResults();
  return success();
}

LogicalResult verifyTarget(Operation *op, Attribute value) {
  // (target_c1)
  auto name = dyn_cast<StringAttr>(value);
  if (!isa<ModuleOp>(op) || !name || name.empty())
    return op->emitError("expected `tile.target` on a module to name an architecture");
  return success();
}

} // namespace

LogicalResult KernelAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, uint32_t warps,
                                 uint32_t stages) {
  // (kernel_c1)
  if (warps > MaxWarps || !llvm::isPowerOf2_32(warps))
    return emitError() << "expected a power of two from 1 to " << MaxWarps << " warps, found " << warps;
  // (kernel_c2)
  if (stages < 1 || stages > MaxStages)
    return emitError() << "expected 1 to " << MaxStages << " stages, found " << stages;
  return success();
}

LogicalResult ParamAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, StringRef name,
                                StringRef spelling, uint32_t divisibility) {
  // (param_c1)
  if (name.empty())
    return emitError() << "expected the name of a parameter, found an empty one";
  // (param_c2)
  if (!llvm::isPowerOf2_32(divisibility))
    return emitError() << "expected a power of two as divisibility, found " << divisibility;
  return success();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == "tile.kernel")
    return verifyKernel(op, attribute.getValue());
  if (attribute.getName() == "tile.target")
    return verifyTarget(op, attribute.getValue());
  return op->emitError() << "expected `tile.kernel` on a function or `tile.target` on a module, found `"
                         << attribute.getName().getValue() << "`";
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex, unsigned argIndex,
                                                    NamedAttribute attribute) {
  auto param = dyn_cast<ParamAttr>(attribute.getValue());
  // (param_c3)
  if (attribute.getName() != "tile.param" || !param)
    return op->emitError() << "expected `tile.param = #tile.param<...>` on argument " << argIndex
                           << ", found `" << attribute.getName().getValue() << " = " << attribute.getValue()
                           << "`";
  // (param_c4); lowered functions keep the attribute, so only they may have other types.
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    return success();
  Type expected = typeOfSpelling(param.getSpelling(), op->getContext());
  Type found = function.getArgument(argIndex).getType();
  if (!expected)
    return op->emitError() << "expected the type of parameter `" << param.getName() << "`, found `"
                           << param.getSpelling() << "`";
  if (expected != found)
    return op->emitError() << "expected parameter `" << param.getName() << "` of type " << expected
                           << ", found " << found;
  return success();
}
