// Float arithmetic, comparisons and functions: each op rounds once to its own format, and nothing is fused.
//
// Functions are the host's, in double, those of f64 in long double: as good as exact where long double is
// longer, within an ulp or two in f64 elsewhere.
#include "compiler/interp/machine/Machine.h"
#include "compiler/interp/values/Floats.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace tegula::interp {
namespace {

using Unary = double (*)(double);
using WideUnary = long double (*)(long double);
using Binary = double (*)(double, double);
using WideBinary = long double (*)(long double, long double);

template <Unary function, WideUnary wide> LogicalResult unary(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  const Element::Kind kind = Element(a.type).kind;
  return computeElements(machine, step, [&](size_t i) {
    const double x = decodeFloat(kind, a.bits[i]);
    return encodeFloat(kind, kind == Element::Float64 ? double(wide(x)) : function(x));
  });
}

/// Without `wide` in f64 as in the others.
template <Binary function, WideBinary wide = nullptr>
LogicalResult binary(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  const Element::Kind kind = Element(a.type).kind;
  return computeElements(machine, step, [&](size_t i) {
    const double x = decodeFloat(kind, a.bits[i]), y = decodeFloat(kind, b.bits[i]);
    if constexpr (wide != nullptr)
      if (kind == Element::Float64)
        return encodeFloat(kind, double(wide(x, y)));
    return encodeFloat(kind, function(x, y));
  });
}

double add(double a, double b) { return a + b; }
double subtract(double a, double b) { return a - b; }
double multiply(double a, double b) { return a * b; }
double divide(double a, double b) { return a / b; }
double remainder(double a, double b) { return std::fmod(a, b); }

/// Between zeros, -0 is the smaller one.
double lesser(double a, double b) { return a < b || (a == b && std::signbit(a)) ? a : b; }
double greater(double a, double b) { return a > b || (a == b && !std::signbit(a)) ? a : b; }

double minimumNumber(double a, double b) { return std::isnan(a) ? b : std::isnan(b) ? a : lesser(a, b); }
double maximumNumber(double a, double b) { return std::isnan(a) ? b : std::isnan(b) ? a : greater(a, b); }
double minimum(double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : lesser(a, b); }
double maximum(double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : greater(a, b); }

uint64_t signBit(const Tensor &tensor) { return uint64_t(1) << (Element(tensor.type).bits - 1); }

// Negation, magnitudes and `copysign` change the sign and nothing else, of NaNs too.
LogicalResult negate(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  return computeElements(machine, step, [&, sign = signBit(a)](size_t i) { return a.bits[i] ^ sign; });
}

LogicalResult absolute(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  return computeElements(machine, step, [&, sign = signBit(a)](size_t i) { return a.bits[i] & ~sign; });
}

LogicalResult copySign(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  return computeElements(
      machine, step, [&, sign = signBit(a)](size_t i) { return (a.bits[i] & ~sign) | (b.bits[i] & sign); });
}

LogicalResult fused(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1), &c = machine.operand(step, 2);
  const Element::Kind kind = Element(a.type).kind;
  return computeElements(machine, step, [&](size_t i) {
    return fusedMultiplyAdd(kind, decodeFloat(kind, a.bits[i]), decodeFloat(kind, b.bits[i]),
                            decodeFloat(kind, c.bits[i]));
  });
}

bool compares(arith::CmpFPredicate predicate, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::OEQ:
    return a == b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::ONE:
    return !unordered && a != b;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UEQ:
    return unordered || a == b;
  case arith::CmpFPredicate::UGT:
    return unordered || a > b;
  case arith::CmpFPredicate::UGE:
    return unordered || a >= b;
  case arith::CmpFPredicate::ULT:
    return unordered || a < b;
  case arith::CmpFPredicate::ULE:
    return unordered || a <= b;
  case arith::CmpFPredicate::UNE:
    return unordered || a != b;
  case arith::CmpFPredicate::UNO:
    return unordered;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  }
  return false;
}

LogicalResult compare(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  const Element::Kind kind = Element(a.type).kind;
  const arith::CmpFPredicate predicate = cast<arith::CmpFOp>(step.op).getPredicate();
  return computeElements(machine, step, [&](size_t i) {
    return uint64_t(compares(predicate, decodeFloat(kind, a.bits[i]), decodeFloat(kind, b.bits[i])));
  });
}

/// To a signed integer; of one that the float does not hold, the parity is exact all the same.
LogicalResult integerPower(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  const Element::Kind kind = Element(a.type).kind;
  const unsigned bits = Element(b.type).bits;
  return computeElements(machine, step, [&](size_t i) {
    const double x = decodeFloat(kind, a.bits[i]);
    const int64_t n = llvm::SignExtend64(b.bits[i], bits);
    const double power = double(std::pow(std::fabs((long double)x), (long double)n));
    return encodeFloat(kind, std::signbit(x) && (n & 1) ? -power : power);
  });
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
  return computeElements(machine, step, [&](size_t i) {
    return encodeFloat(kind, flushed(function(flushed(decodeFloat(kind, a.bits[i])))));
  });
}

template <typename Float> Float reciprocalRoot(Float x) { return 1 / std::sqrt(x); }
/// Rounded once to double: a root is exact to the last digit.
long double root(long double x) { return std::sqrt(double(x)); }

} // namespace

void addFloatOps(HandlerTable &table) {
  addHandler<arith::AddFOp>(table, binary<add>);
  addHandler<arith::SubFOp>(table, binary<subtract>);
  addHandler<arith::MulFOp>(table, binary<multiply>);
  addHandler<arith::DivFOp>(table, binary<divide>);
  addHandler<arith::RemFOp>(table, binary<remainder>);
  addHandler<arith::MinNumFOp>(table, binary<minimumNumber>);
  addHandler<arith::MaxNumFOp>(table, binary<maximumNumber>);
  addHandler<arith::MinimumFOp>(table, binary<minimum>);
  addHandler<arith::MaximumFOp>(table, binary<maximum>);
  addHandler<arith::NegFOp>(table, negate);
  addHandler<arith::CmpFOp>(table, compare);
  addHandler<math::AbsFOp>(table, absolute);
  addHandler<math::CopySignOp>(table, copySign);
  addHandler<math::FmaOp>(table, fused);
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
