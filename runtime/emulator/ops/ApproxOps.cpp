// Functions that the chip approximates, and the correctly rounded rcp and sqrt.
//
// The chip's tables are not public. An approximate function here is the double-precision result
// rounded once: never farther from the truth than the chip's own answer, which the PTX manual bounds
// by about 2 ulp, and exact where the manual states an exact value (zeros, infinities, NaN).

#include "runtime/emulator/ops/FloatMath.h"
#include "runtime/emulator/ops/Lanewise.h"
#include "runtime/emulator/ops/Opcodes.h"

namespace tegula::runtime::ptx {

namespace {

enum Function1 : uint8_t { Ex2, Lg2, Rcp, Sqrt, Rsqrt, Sin, Cos, Tanh };

double evaluate(uint8_t op, double x) {
  switch (op) {
  case Ex2:
    return std::exp2(x);
  case Lg2:
    return std::log2(x);
  case Rcp:
    return 1 / x;
  case Sqrt:
    return std::sqrt(x);
  case Rsqrt:
    return 1 / std::sqrt(x);
  case Sin:
    return std::sin(x);
  case Cos:
    return std::cos(x);
  default:
    return std::tanh(x);
  }
}

template <const Format &F> uint64_t approximate(const Inst &inst, uint64_t bits) {
  const double value = evaluate(inst.op, operandValue<F>(inst, bits));
  return finishFloat<F>(inst, roundTo(value, F, Rounding::Nearest));
}

template <const Format &F> uint64_t approximatePair(const Inst &inst, uint64_t bits) {
  return approximate<F>(inst, bits & 0xffff) | approximate<F>(inst, bits >> 16) << 16;
}

/// rcp.approx.ftz.f64 and rsqrt.approx.f64: the low half of the result is zero.
uint64_t approximateF64(const Inst &inst, uint64_t bits) {
  const uint64_t in = inst.has(FlagFtz) ? flushSubnormal(bits, doubleFormat) : bits;
  const double value = evaluate(inst.op, asDouble(in));
  const uint64_t out = doubleResult(value, in);
  const uint64_t cut = inst.op == Rcp || inst.has(FlagFtz) ? out & ~lowMask(32) : out;
  return inst.has(FlagFtz) ? flushSubnormal(cut, doubleFormat) : cut;
}

uint64_t exactRcpF32(const Inst &inst, uint64_t bits) {
  return narrowOp<single, FloatOp::Reciprocal>(inst, bits, 0, 0);
}
uint64_t exactSqrtF32(const Inst &inst, uint64_t bits) {
  return narrowOp<single, FloatOp::Sqrt>(inst, bits, 0, 0);
}
uint64_t exactF64(const Inst &inst, uint64_t bits) {
  return inst.op == Rcp ? doubleInMode(DoubleOp::Divide, bitsOfDouble(1.0), bits, 0, inst.rounding)
                        : doubleInMode(DoubleOp::Sqrt, bits, 0, 0, inst.rounding);
}

Handler approximateHandler(Type type) {
  switch (type) {
  case Type::F16:
    return unary<approximate<half>>;
  case Type::F16x2:
    return unary<approximatePair<half>>;
  case Type::BF16:
    return unary<approximate<bfloat>>;
  case Type::BF16x2:
    return unary<approximatePair<bfloat>>;
  case Type::F32:
    return unary<approximate<single>>;
  case Type::F64:
    return unary<approximateF64>;
  default:
    return nullptr;
  }
}

} // namespace

bool decodeApprox(Form &form) {
  Inst &inst = form.inst;
  static constexpr std::pair<std::string_view, Function1> names[] = {
      {"ex2", Ex2},     {"lg2", Lg2}, {"rcp", Rcp}, {"sqrt", Sqrt},
      {"rsqrt", Rsqrt}, {"sin", Sin}, {"cos", Cos}, {"tanh", Tanh}};
  for (const auto &[name, function] : names)
    if (name == form.opcode())
      inst.op = function;
  const bool approx = form.take("approx"), rounded = !approx && form.takeRounding();
  form.takeFlag("ftz", FlagFtz);
  if (!form.takeType(inst.type) || approx == rounded)
    return false;
  if (rounded) {
    if (inst.op != Rcp && inst.op != Sqrt)
      return false;
    if (inst.type == Type::F32)
      inst.run = inst.op == Rcp ? unary<exactRcpF32> : unary<exactSqrtF32>;
    else if (inst.type == Type::F64 && inst.flags == 0)
      inst.run = unary<exactF64>;
  } else if (isHalf(inst.type)) {
    inst.run = inst.op == Ex2 || inst.op == Tanh ? approximateHandler(inst.type) : nullptr;
  } else if (inst.type == Type::F32) {
    inst.run = inst.op == Tanh && inst.flags ? nullptr : approximateHandler(inst.type);
  } else if (inst.type == Type::F64) {
    inst.run =
        (inst.op == Rcp && inst.has(FlagFtz)) || inst.op == Rsqrt ? approximateHandler(inst.type) : nullptr;
  }
  return inst.run && form.operands(inst.type, {inst.type});
}

} // namespace tegula::runtime::ptx
