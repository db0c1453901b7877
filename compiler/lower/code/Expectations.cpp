#include "compiler/lower/code/Expectations.h"
#include "compiler/lower/code/InlinePtx.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {

void emitExpectation(OpBuilder &builder, Location loc, StringRef what, ArrayRef<Value> operands,
                     ArrayRef<Value> conditions) {
  InlinePtx ptx(builder, loc);
  auto written = [&](Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)) && constant.getBitWidth() > 1)
      return std::to_string(constant.getSExtValue());
    Type type = value.getType();
    if (type.isInteger() && type.getIntOrFloatBitWidth() > 1 && type.getIntOrFloatBitWidth() < 32)
      value = arith::ExtSIOp::create(builder, loc, builder.getI32Type(), value);
    return ptx.operand(value);
  };
  std::string text = ("//tegula: expect." + what).str();
  StringRef separator = " ";
  for (Value value : llvm::concat<const Value>(operands, conditions))
    if (value) {
      text += separator.str() + written(value);
      separator = ", ";
    }
  ptx.emit(text + ";");
}

void expectInArray(OpBuilder &builder, Location loc, Value coordinate, Value condition) {
  if (!matchPattern(coordinate, m_Constant()))
    emitExpectation(builder, loc, "box.s32", {coordinate}, {condition});
}

} // namespace tegula
