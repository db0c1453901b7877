// Functions of one and two floats, by the host's library in double and rounded once to their format: as good
// as exact in the small formats, within an ulp in f64.
#include "compiler/interp/Floats.h"
#include "compiler/interp/Machine.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace tegula::interp {
namespace {

template <double (*Function)(double)> LogicalResult unary(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  const Element::Kind kind = Element(a.type).kind;
  machine.setResult(step, elementwise(machine, step, [&](size_t i) {
                      return encodeFloat(kind, Function(decodeFloat(kind, a.bits[i])));
                    }));
  return success();
}

template <double (*Function)(double, double)> LogicalResult binary(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  const Element::Kind kind = Element(a.type).kind;
  machine.setResult(step, elementwise(machine, step, [&](size_t i) {
                      return encodeFloat(
                          kind, Function(decodeFloat(kind, a.bits[i]), decodeFloat(kind, b.bits[i])));
                    }));
  return success();
}

/// To a signed integer; of one that a double does not hold, the parity is exact all the same.
LogicalResult integerPower(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  const Element::Kind kind = Element(a.type).kind;
  const unsigned bits = Element(b.type).bits;
  machine.setResult(step, elementwise(machine, step, [&](size_t i) {
                      const double x = decodeFloat(kind, a.bits[i]);
                      const int64_t n = llvm::SignExtend64(b.bits[i], bits);
                      const double power = std::pow(std::fabs(x), double(n));
                      return encodeFloat(kind, std::signbit(x) && (n & 1) ? -power : power);
                    }));
  return success();
}

/// Zero of the same sign for what is subnormal in f32.
double flushed(double x) {
  return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0, x) : x;
}

/// With `afn` the hardware's instruction is meant, which in f32 knows no subnormal operands and results.
template <double (*Function)(double)> LogicalResult flushing(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  const Element::Kind kind = Element(a.type).kind;
  auto flags = cast<arith::ArithFastMathInterface>(step.op).getFastMathFlagsAttr();
  if (kind != Element::Float32 || !flags || !bitEnumContainsAll(flags.getValue(), arith::FastMathFlags::afn))
    return unary<Function>(machine, step);
  machine.setResult(step, elementwise(machine, step, [&](size_t i) {
                      return encodeFloat(kind, flushed(Function(flushed(decodeFloat(kind, a.bits[i])))));
                    }));
  return success();
}

double reciprocalRoot(double x) { return 1 / std::sqrt(x); }

} // namespace

void addMathOps(HandlerTable &table) {
  addHandler<math::ExpOp>(table, unary<std::exp>);
  addHandler<math::Exp2Op>(table, flushing<std::exp2>);
  addHandler<math::ExpM1Op>(table, unary<std::expm1>);
  addHandler<math::LogOp>(table, unary<std::log>);
  addHandler<math::Log2Op>(table, unary<std::log2>);
  addHandler<math::Log10Op>(table, unary<std::log10>);
  addHandler<math::Log1pOp>(table, unary<std::log1p>);
  addHandler<math::SinOp>(table, unary<std::sin>);
  addHandler<math::CosOp>(table, unary<std::cos>);
  addHandler<math::TanOp>(table, unary<std::tan>);
  addHandler<math::AsinOp>(table, unary<std::asin>);
  addHandler<math::AcosOp>(table, unary<std::acos>);
  addHandler<math::AtanOp>(table, unary<std::atan>);
  addHandler<math::SinhOp>(table, unary<std::sinh>);
  addHandler<math::CoshOp>(table, unary<std::cosh>);
  addHandler<math::TanhOp>(table, unary<std::tanh>);
  addHandler<math::AsinhOp>(table, unary<std::asinh>);
  addHandler<math::AcoshOp>(table, unary<std::acosh>);
  addHandler<math::AtanhOp>(table, unary<std::atanh>);
  addHandler<math::ErfOp>(table, unary<std::erf>);
  addHandler<math::ErfcOp>(table, unary<std::erfc>);
  addHandler<math::SqrtOp>(table, flushing<std::sqrt>);
  addHandler<math::RsqrtOp>(table, flushing<reciprocalRoot>);
  addHandler<math::CbrtOp>(table, unary<std::cbrt>);
  addHandler<math::FloorOp>(table, unary<std::floor>);
  addHandler<math::CeilOp>(table, unary<std::ceil>);
  addHandler<math::TruncOp>(table, unary<std::trunc>);
  addHandler<math::RoundOp>(table, unary<std::round>);
  addHandler<math::RoundEvenOp>(table, unary<std::nearbyint>);
  addHandler<math::PowFOp>(table, binary<std::pow>);
  addHandler<math::FPowIOp>(table, integerPower);
  addHandler<math::Atan2Op>(table, binary<std::atan2>);
}

} // namespace tegula::interp
