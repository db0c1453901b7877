// Arithmetic on f32 and f64, and in f32 of which some operands are f16 or bf16 (sm_100 and later).

#include "runtime/emulator/ops/FloatMath.h"
#include "runtime/emulator/ops/Lanewise.h"
#include "runtime/emulator/ops/Opcodes.h"

#include <functional>

namespace tegula::runtime::ptx {

namespace {

/// Operations on singles return one NaN, whatever the operands' payloads.
uint64_t resultOf(float value) { return value != value ? single.nan : bitsOfFloat(value); }

// To nearest and without modifiers the host does the same operation.
template <typename Operate> uint64_t plainF32(const Inst &, uint64_t a, uint64_t b) {
  return resultOf(Operate()(asFloat(a), asFloat(b)));
}
template <typename Operate> uint64_t plainF64(const Inst &, uint64_t a, uint64_t b) {
  return doubleResult(Operate()(asDouble(a), asDouble(b)), a, b);
}
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

template <FloatOp Op> uint64_t anyF64(const Inst &inst, uint64_t a, uint64_t b) {
  return doubleInMode(Op, a, b, 0, inst.rounding);
}
uint64_t anyFmaF64(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  return doubleInMode(FloatOp::Fma, a, b, c, inst.rounding);
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

bool isPlain(const Inst &inst) { return inst.flags == 0 && inst.rounding == Rounding::Nearest; }

/// The handler of `add`, `sub`, `mul` or a rounded `div`, which the host does by `Operate`; null where
/// doubles have no such modifiers.
template <FloatOp Op, typename Operate> Handler arithmetic(const Inst &inst) {
  if (inst.type == Type::F32)
    return isPlain(inst) ? binary<plainF32<Operate>> : binary<binaryF32<Op>>;
  return inst.flags ? nullptr : isPlain(inst) ? binary<plainF64<Operate>> : binary<anyF64<Op>>;
}

bool decodeFma(Form &form) {
  Inst &inst = form.inst;
  const bool rounded = form.takeRounding();
  form.takeFlag("ftz", FlagFtz);
  form.takeFlag("sat", FlagSat);
  if (!form.takeType(inst.type) || (!rounded && form.opcode() == "fma"))
    return false;
  if (inst.type == Type::F32)
    inst.run = isPlain(inst) ? ternary<fmaF32> : ternary<anyFmaF32>;
  else if (inst.flags == 0)
    inst.run = isPlain(inst) ? ternary<fmaF64> : ternary<anyFmaF64>;
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
  if (rounded) {
    inst.run = arithmetic<FloatOp::Divide, std::divides<>>(inst);
  } else if (inst.type != Type::F64) {
    inst.flags |= approx ? FlagApprox : 0;
    inst.run = binary<looseDivF32>;
  }
  return inst.run && binaryOperands(form);
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

/// The f32 of the same value; every one of a narrower format exists.
template <const Format &Narrow> uint64_t widened(uint64_t bits) {
  return bitsOfFloat(float(toDouble(bits, Narrow)));
}

template <const Format &Narrow, FloatOp Op> uint64_t mixedSum(const Inst &inst, uint64_t a, uint64_t c) {
  return narrowOp<single, Op>(inst, widened<Narrow>(a), c, 0);
}
template <const Format &Narrow> uint64_t mixedFma(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  return narrowOp<single, FloatOp::Fma>(inst, widened<Narrow>(a), widened<Narrow>(b), c);
}

template <const Format &Narrow> Handler mixedHandler(std::string_view opcode) {
  if (opcode == "add")
    return binary<mixedSum<Narrow, FloatOp::Add>>;
  if (opcode == "sub")
    return binary<mixedSum<Narrow, FloatOp::Subtract>>;
  return opcode == "fma" ? ternary<mixedFma<Narrow>> : nullptr;
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
  inst.run = name == "add"   ? arithmetic<FloatOp::Add, std::plus<>>(inst)
             : name == "sub" ? arithmetic<FloatOp::Subtract, std::minus<>>(inst)
                             : arithmetic<FloatOp::Multiply, std::multiplies<>>(inst);
  return inst.run && binaryOperands(form);
}

bool decodeMixed(Form &form) {
  Inst &inst = form.inst;
  const bool isFma = form.opcode() == "fma";
  const bool rounded = form.takeRounding();
  form.takeFlag("sat", FlagSat);
  Type narrow;
  if (!form.takeType(inst.type) || !form.takeType(narrow) || (isFma && !rounded))
    return false;
  inst.run = narrow == Type::F16 ? mixedHandler<half>(form.opcode()) : mixedHandler<bfloat>(form.opcode());
  if (!inst.run)
    return false;
  // The added operand is wide.
  return isFma ? form.operands(inst.type, {narrow, narrow, inst.type})
               : form.operands(inst.type, {narrow, inst.type});
}

} // namespace tegula::runtime::ptx
