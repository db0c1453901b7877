// Functions that the chip approximates, and the correctly rounded rcp and sqrt.
//
// The chip's tables are not public. An approximate function here is the double-precision result
// rounded once: never farther from the truth than the chip's own answer, which the PTX manual bounds
// by about 2 ulp, and exact where the manual states an exact value (zeros, infinities, NaN).

#include "runtime/emulator/ops/FloatMath.h"
#include "runtime/emulator/ops/Lanewise.h"
#include "runtime/emulator/ops/Opcodes.h"

#include <algorithm>

namespace tegula::runtime::ptx {

namespace {

enum Function1 : uint8_t { Ex2, Lg2, Rcp, Sqrt, Rsqrt, Sin, Cos, Tanh };

struct NamedFunction {
  std::string_view name;
  double (*evaluate)(double);
};
/// By their numbers.
constexpr NamedFunction functions[] = {{"ex2", [](double x) { return std::exp2(x); }},
                                       {"lg2", [](double x) { return std::log2(x); }},
                                       {"rcp", [](double x) { return 1 / x; }},
                                       {"sqrt", [](double x) { return std::sqrt(x); }},
                                       {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
                                       {"sin", [](double x) { return std::sin(x); }},
                                       {"cos", [](double x) { return std::cos(x); }},
                                       {"tanh", [](double x) { return std::tanh(x); }}};

template <const Format &F> uint64_t approximate(const Inst &inst, uint64_t bits) {
  const double value = functions[inst.op].evaluate(operandValue<F>(inst, bits));
  return finishFloat<F>(inst, roundTo(value, F, Rounding::Nearest));
}

template <const Format &F> uint64_t approximatePair(const Inst &inst, uint64_t bits) {
  return approximate<F>(inst, bits & 0xffff) | approximate<F>(inst, bits >> 16) << 16;
}

/// rcp.approx.ftz.f64 and rsqrt.approx.f64: the low half of the result is zero.
uint64_t approximateF64(const Inst &inst, uint64_t bits) {
  const uint64_t in = inst.has(FlagFtz) ? flushSubnormal(bits, doubleFormat) : bits;
  const double value = functions[inst.op].evaluate(asDouble(in));
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
  return inst.op == Rcp ? doubleInMode(FloatOp::Divide, bitsOfDouble(1.0), bits, 0, inst.rounding)
                        : doubleInMode(FloatOp::Sqrt, bits, 0, 0, inst.rounding);
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
  inst.op = uint8_t(std::ranges::find(functions, form.opcode(), &NamedFunction::name) - functions);
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
