// Functions of one and two floats, by the host's library in double, those of f64 in long double, and rounded
// once to their format: as good as exact where long double is longer, within an ulp or two in f64 elsewhere.
#include "compiler/interp/values/Floats.h"
#include "compiler/interp/machine/Machine.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace tegula::interp {
namespace {

using Unary = double (*)(double);
using WideUnary = long double (*)(long double);
using Binary = double (*)(double, double);
using WideBinary = long double (*)(long double, long double);

template <Unary function, WideUnary wide> uint64_t applied(Element::Kind kind, uint64_t bits) {
  const double x = decodeFloat(kind, bits);
  return encodeFloat(kind, kind == Element::Float64 ? double(wide(x)) : function(x));
}

template <Unary function, WideUnary wide> LogicalResult unary(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  const Element::Kind kind = Element(a.type).kind;
  machine.setResult(
      step, elementwise(machine, step, [&](size_t i) { return applied<function, wide>(kind, a.bits[i]); }));
  return success();
}

template <Binary function, WideBinary wide> LogicalResult binary(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  const Element::Kind kind = Element(a.type).kind;
  machine.setResult(step, elementwise(machine, step, [&](size_t i) {
                      const double x = decodeFloat(kind, a.bits[i]), y = decodeFloat(kind, b.bits[i]);
                      return encodeFloat(kind,
                                         kind == Element::Float64 ? double(wide(x, y)) : function(x, y));
                    }));
  return success();
}

/// To a signed integer; of one that the float does not hold, the parity is exact all the same.
LogicalResult integerPower(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  const Element::Kind kind = Element(a.type).kind;
  const unsigned bits = Element(b.type).bits;
  machine.setResult(step, elementwise(machine, step, [&](size_t i) {
                      const double x = decodeFloat(kind, a.bits[i]);
                      const int64_t n = llvm::SignExtend64(b.bits[i], bits);
                      const double power = double(std::pow(std::fabs((long double)x), (long double)n));
                      return encodeFloat(kind, std::signbit(x) && (n & 1) ? -power : power);
                    }));
  return success();
}

/// Zero of the same sign for what is subnormal in f32.
double flushed(double x) {
  return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0, x) : x;
}

/// With `afn` the hardware's instruction is meant, which in f32 knows no subnormal operands and results.
template <Unary function, WideUnary wide> LogicalResult flushing(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  const Element::Kind kind = Element(a.type).kind;
  auto flags = cast<arith::ArithFastMathInterface>(step.op).getFastMathFlagsAttr();
  if (kind != Element::Float32 || !flags || !bitEnumContainsAll(flags.getValue(), arith::FastMathFlags::afn))
    return unary<function, wide>(machine, step);
  machine.setResult(step, elementwise(machine, step, [&](size_t i) {
                      return encodeFloat(kind, flushed(function(flushed(decodeFloat(kind, a.bits[i])))));
                    }));
  return success();
}

template <typename Float> Float reciprocalRoot(Float x) { return 1 / std::sqrt(x); }
/// Rounded once to double: a root is exact to the last digit.
long double root(long double x) { return std::sqrt(double(x)); }

} // namespace

void addMathOps(HandlerTable &table) {
  addHandler<math::ExpOp>(table, unary<std::exp, std::exp>);
  addHandler<math::Exp2Op>(table, flushing<std::exp2, std::exp2>);
  addHandler<math::ExpM1Op>(table, unary<std::expm1, std::expm1>);
  addHandler<math::LogOp>(table, unary<std::log, std::log>);
  addHandler<math::Log2Op>(table, unary<std::log2, std::log2>);
  addHandler<math::Log10Op>(table, unary<std::log10, std::log10>);
  addHandler<math::Log1pOp>(table, unary<std::log1p, std::log1p>);
  addHandler<math::SinOp>(table, unary<std::sin, std::sin>);
  addHandler<math::CosOp>(table, unary<std::cos, std::cos>);
  addHandler<math::TanOp>(table, unary<std::tan, std::tan>);
  addHandler<math::AsinOp>(table, unary<std::asin, std::asin>);
  addHandler<math::AcosOp>(table, unary<std::acos, std::acos>);
  addHandler<math::AtanOp>(table, unary<std::atan, std::atan>);
  addHandler<math::SinhOp>(table, unary<std::sinh, std::sinh>);
  addHandler<math::CoshOp>(table, unary<std::cosh, std::cosh>);
  addHandler<math::TanhOp>(table, unary<std::tanh, std::tanh>);
  addHandler<math::AsinhOp>(table, unary<std::asinh, std::asinh>);
  addHandler<math::AcoshOp>(table, unary<std::acosh, std::acosh>);
  addHandler<math::AtanhOp>(table, unary<std::atanh, std::atanh>);
  addHandler<math::ErfOp>(table, unary<std::erf, std::erf>);
  addHandler<math::ErfcOp>(table, unary<std::erfc, std::erfc>);
  addHandler<math::SqrtOp>(table, flushing<std::sqrt, root>);
  addHandler<math::RsqrtOp>(table, flushing<reciprocalRoot, reciprocalRoot>);
  addHandler<math::CbrtOp>(table, unary<std::cbrt, std::cbrt>);
  addHandler<math::FloorOp>(table, unary<std::floor, std::floor>);
  addHandler<math::CeilOp>(table, unary<std::ceil, std::ceil>);
  addHandler<math::TruncOp>(table, unary<std::trunc, std::trunc>);
  addHandler<math::RoundOp>(table, unary<std::round, std::round>);
  addHandler<math::RoundEvenOp>(table, unary<std::nearbyint, std::nearbyint>);
  addHandler<math::PowFOp>(table, binary<std::pow, std::pow>);
  addHandler<math::FPowIOp>(table, integerPower);
  addHandler<math::Atan2Op>(table, binary<std::atan2, std::atan2>);
}

} // namespace tegula::interp
