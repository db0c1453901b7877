// Arithmetic on f32 and f64.

#include "runtime/emulator/ops/FloatMath.h"
#include "runtime/emulator/ops/Lanewise.h"
#include "runtime/emulator/ops/Opcodes.h"

namespace tegula::runtime::ptx {

namespace {

/// Operations on singles return one NaN, whatever the operands' payloads.
uint64_t resultOf(float value) { return value != value ? single.nan : bitsOfFloat(value); }

// To nearest and without modifiers the host does the same operation.
uint64_t addF32(const Inst &, uint64_t a, uint64_t b) { return resultOf(asFloat(a) + asFloat(b)); }
uint64_t subF32(const Inst &, uint64_t a, uint64_t b) { return resultOf(asFloat(a) - asFloat(b)); }
uint64_t mulF32(const Inst &, uint64_t a, uint64_t b) { return resultOf(asFloat(a) * asFloat(b)); }
uint64_t divF32(const Inst &, uint64_t a, uint64_t b) { return resultOf(asFloat(a) / asFloat(b)); }
uint64_t fmaF32(const Inst &, uint64_t a, uint64_t b, uint64_t c) {
  return resultOf(std::fma(asFloat(a), asFloat(b), asFloat(c)));
}

template <FloatOp Op> uint64_t binaryF32(const Inst &inst, uint64_t a, uint64_t b) {
  return narrowOp<single, Op>(inst, a, b, 0);
}
uint64_t anyFmaF32(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  return narrowOp<single, FloatOp::Fma>(inst, a, b, c);
}

/// div.approx and div.full: within 2 ulp on the chip, correctly rounded here. For divisors of 2^126
/// and more div.approx gives zero, as its reciprocal underflows.
uint64_t looseDivF32(const Inst &inst, uint64_t a, uint64_t b) {
  const float divisor = std::fabs(asFloat(b));
  if (inst.has(FlagApprox) && divisor >= 0x1p126f && divisor <= 3.402823466e38f) {
    if (single.isNan(a) || std::isinf(asFloat(a)))
      return single.nan;
    return (a ^ b) & single.sign();
  }
  return narrowOp<single, FloatOp::Divide>(inst, a, b, 0);
}

template <DoubleOp Op> uint64_t anyF64(const Inst &inst, uint64_t a, uint64_t b) {
  return doubleInMode(Op, a, b, 0, inst.rounding);
}
uint64_t anyFmaF64(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  return doubleInMode(DoubleOp::Fma, a, b, c, inst.rounding);
}
uint64_t addF64(const Inst &, uint64_t a, uint64_t b) {
  return doubleResult(asDouble(a) + asDouble(b), a, b);
}
uint64_t subF64(const Inst &, uint64_t a, uint64_t b) {
  return doubleResult(asDouble(a) - asDouble(b), a, b);
}
uint64_t mulF64(const Inst &, uint64_t a, uint64_t b) {
  return doubleResult(asDouble(a) * asDouble(b), a, b);
}
uint64_t divF64(const Inst &, uint64_t a, uint64_t b) {
  return doubleResult(asDouble(a) / asDouble(b), a, b);
}
uint64_t fmaF64(const Inst &, uint64_t a, uint64_t b, uint64_t c) {
  return doubleResult(std::fma(asDouble(a), asDouble(b), asDouble(c)), a, b, c);
}
uint64_t absF64(const Inst &, uint64_t a) { return a & ~doubleFormat.sign(); }
/// A subtraction on the chip, hence a NaN keeps its sign.
uint64_t negF64(const Inst &, uint64_t a) {
  return doubleFormat.isNan(a) ? a | uint64_t(1) << 51 : a ^ doubleFormat.sign();
}
/// Returns the larger or smaller; of two NaNs the second, made quiet.
template <bool Max> uint64_t extremumF64(const Inst &inst, uint64_t a, uint64_t b) {
  if (doubleFormat.isNan(a) && doubleFormat.isNan(b))
    return b | uint64_t(1) << 51;
  return extremum<doubleFormat, Max>(inst, a, b);
}

/// Returns the extremum of three values, which PTX 8.8 has for f32.
template <bool Max> uint64_t extremumOfThree(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  return extremum<single, Max>(inst, extremum<single, Max>(inst, a, b), c);
}

bool ternaryOperands(Form &form) {
  return form.operands(form.inst.type, {form.inst.type, form.inst.type, form.inst.type});
}
bool binaryOperands(Form &form) { return form.operands(form.inst.type, {form.inst.type, form.inst.type}); }

bool decodeFma(Form &form) {
  Inst &inst = form.inst;
  const bool rounded = form.takeRounding();
  form.takeFlag("ftz", FlagFtz);
  form.takeFlag("sat", FlagSat);
  if (!form.takeType(inst.type) || (!rounded && form.opcode() == "fma"))
    return false;
  const bool plain = inst.flags == 0 && inst.rounding == Rounding::Nearest;
  if (inst.type == Type::F32)
    inst.run = plain ? ternary<fmaF32> : ternary<anyFmaF32>;
  else if (inst.flags == 0)
    inst.run = plain ? ternary<fmaF64> : ternary<anyFmaF64>;
  else
    return false;
  return ternaryOperands(form);
}

bool decodeDivide(Form &form) {
  Inst &inst = form.inst;
  const bool approx = form.take("approx"), full = !approx && form.take("full");
  const bool rounded = form.takeRounding();
  form.takeFlag("ftz", FlagFtz);
  if (!form.takeType(inst.type) || (approx || full) == rounded)
    return false;
  const bool plain = inst.flags == 0 && inst.rounding == Rounding::Nearest;
  if (inst.type == Type::F64) {
    inst.run = plain ? binary<divF64> : binary<anyF64<DoubleOp::Divide>>;
    return rounded && inst.flags == 0 && binaryOperands(form);
  }
  if (approx)
    inst.flags |= FlagApprox;
  inst.run = !rounded ? binary<looseDivF32> : plain ? binary<divF32> : binary<binaryF32<FloatOp::Divide>>;
  return binaryOperands(form);
}

bool decodeMinMax(Form &form) {
  Inst &inst = form.inst;
  const bool max = form.opcode() == "max";
  form.takeFlag("ftz", FlagFtz);
  form.takeFlag("NaN", FlagNan);
  if (!form.takeXorSign() || !form.takeType(inst.type))
    return false;
  if (inst.type == Type::F32 && form.size() == 4 && !(inst.flags & FlagXorSign)) {
    inst.run = max ? ternary<extremumOfThree<true>> : ternary<extremumOfThree<false>>;
    return ternaryOperands(form);
  }
  if (inst.type == Type::F32)
    inst.run = max ? binary<extremum<single, true>> : binary<extremum<single, false>>;
  else
    inst.run = max ? binary<extremumF64<true>> : binary<extremumF64<false>>;
  return (inst.type == Type::F32 || inst.flags == 0) && binaryOperands(form);
}

bool decodeSign(Form &form) {
  Inst &inst = form.inst;
  form.takeFlag("ftz", FlagFtz);
  if (!form.takeType(inst.type) || (inst.type == Type::F64 && inst.flags))
    return false;
  const bool isAbs = form.opcode() == "abs";
  if (inst.type == Type::F32)
    inst.run = isAbs ? unary<absolute<single>> : unary<negate<single>>;
  else
    inst.run = isAbs ? unary<absF64> : unary<negF64>;
  return form.operands(inst.type, {inst.type});
}

} // namespace

bool decodeFloat(Form &form) {
  Inst &inst = form.inst;
  const std::string_view name = form.opcode();
  if (name == "fma" || name == "mad")
    return decodeFma(form);
  if (name == "div")
    return decodeDivide(form);
  if (name == "min" || name == "max")
    return decodeMinMax(form);
  if (name == "abs" || name == "neg")
    return decodeSign(form);
  if (name != "add" && name != "sub" && name != "mul")
    return false;
  form.takeRounding();
  form.takeFlag("ftz", FlagFtz);
  form.takeFlag("sat", FlagSat);
  if (!form.takeType(inst.type))
    return false;
  const bool plain = inst.flags == 0 && inst.rounding == Rounding::Nearest;
  if (inst.type == Type::F32) {
    if (plain)
      inst.run = name == "add" ? binary<addF32> : name == "sub" ? binary<subF32> : binary<mulF32>;
    else
      inst.run = name == "add"   ? binary<binaryF32<FloatOp::Add>>
                 : name == "sub" ? binary<binaryF32<FloatOp::Subtract>>
                                 : binary<binaryF32<FloatOp::Multiply>>;
  } else {
    if (inst.flags)
      return false;
    if (plain)
      inst.run = name == "add" ? binary<addF64> : name == "sub" ? binary<subF64> : binary<mulF64>;
    else
      inst.run = name == "add"   ? binary<anyF64<DoubleOp::Add>>
                 : name == "sub" ? binary<anyF64<DoubleOp::Subtract>>
                                 : binary<anyF64<DoubleOp::Multiply>>;
  }
  return binaryOperands(form);
}

} // namespace tegula::runtime::ptx
