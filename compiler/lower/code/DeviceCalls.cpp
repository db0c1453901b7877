#include "compiler/lower/code/DeviceCalls.h"
#include "compiler/lower/Symbols.h"
#include "dialect/tile/ops/ExternCall.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tegula {
namespace {

FunctionOpInterface functionAround(OpBuilder &builder) {
  return builder.getInsertionBlock()->getParent()->getParentOfType<FunctionOpInterface>();
}

Type pointerType(OpBuilder &builder) { return LLVM::LLVMPointerType::get(builder.getContext()); }

LLVM::LLVMFuncOp declare(OpBuilder &builder, StringRef name, LLVM::LLVMFunctionType type) {
  auto module = functionAround(builder)->getParentOfType<ModuleOp>();
  return *LLVM::lookupOrCreateFn(builder, module, name, type.getParams(), type.getReturnType());
}

/// The address of a zero-terminated constant.
Value textAddress(OpBuilder &builder, Location loc, StringRef content, Texts &texts) {
  LLVM::GlobalOp &global = texts[content.str()];
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    auto module = functionAround(builder)->getParentOfType<ModuleOp>();
    builder.setInsertionPointToStart(module.getBody());
    std::string bytes = content.str() + '\0';
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    global =
        LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal,
                               "tegula_text_" + std::to_string(texts.size()), builder.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

} // namespace

LLVM::LLVMFuncOp externFunction(OpBuilder &builder, StringRef name, LLVM::LLVMFunctionType type) {
  LLVM::LLVMFuncOp function = declare(builder, name, type);
  function->setAttr(tile::ExternAttrName, builder.getUnitAttr());
  return function;
}

void callPrintf(OpBuilder &builder, Location loc, const std::string &format, ArrayRef<Value> values,
                Texts &texts) {
  Type pointer = pointerType(builder), i8 = builder.getI8Type();
  // The arguments lie in local memory one after the other, each aligned to its size.
  SmallVector<int32_t> offsets;
  int32_t size = 0;
  for (Value value : values) {
    int32_t bytes = int32_t(value.getType().getIntOrFloatBitWidth() / 8);
    offsets.push_back(int32_t(llvm::alignTo(size, bytes)));
    size = offsets.back() + bytes;
  }
  Value buffer;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&functionAround(builder)->getRegion(0).front());
    Value count = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(size));
    buffer = LLVM::AllocaOp::create(builder, loc, pointer, i8, count, /*alignment=*/8);
  }
  for (auto [value, offset] : llvm::zip(values, offsets)) {
    Value place = LLVM::GEPOp::create(builder, loc, pointer, i8, buffer, ArrayRef<LLVM::GEPArg>{offset});
    LLVM::StoreOp::create(builder, loc, value, place, value.getType().getIntOrFloatBitWidth() / 8);
  }
  auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(), {pointer, pointer});
  LLVM::CallOp::create(builder, loc, declare(builder, PrintFunction, type),
                       ValueRange{textAddress(builder, loc, format, texts), buffer});
}

void callAssertFail(OpBuilder &builder, Location loc, StringRef message, Texts &texts) {
  Type pointer = pointerType(builder);
  std::string file = "<unknown>";
  uint32_t line = 0;
  if (auto place = loc->findInstanceOf<FileLineColRange>()) {
    file = place.getFilename().str();
    line = place.getStartLine();
  }
  StringRef function = functionAround(builder).getName();
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  {pointer, pointer, builder.getI32Type(), pointer, builder.getI64Type()});
  Value lineValue = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(line)));
  Value charSize = LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
  LLVM::CallOp::create(builder, loc, declare(builder, AssertFunction, type),
                       ValueRange{textAddress(builder, loc, message, texts),
                                  textAddress(builder, loc, file, texts), lineValue,
                                  textAddress(builder, loc, function, texts), charSize});
}

} // namespace tegula
