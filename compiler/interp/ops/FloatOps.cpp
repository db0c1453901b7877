// Float arithmetic and comparisons: each op rounds once to its own format, and nothing is fused.
#include "compiler/interp/values/Floats.h"
#include "compiler/interp/machine/Machine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;

namespace tegula::interp {
namespace {

template <double (*Operate)(double, double)> LogicalResult binary(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  const Element::Kind kind = Element(a.type).kind;
  machine.setResult(step, elementwise(machine, step, [&](size_t i) {
                      return encodeFloat(kind,
                                         Operate(decodeFloat(kind, a.bits[i]), decodeFloat(kind, b.bits[i])));
                    }));
  return success();
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

/// The sign changes and nothing else, of NaNs too.
template <typename Change> LogicalResult changeSign(Machine &machine, const Step &step, Change change) {
  const Tensor &a = machine.operand(step, 0);
  const uint64_t sign = uint64_t(1) << (Element(a.type).bits - 1);
  machine.setResult(step, elementwise(machine, step, [&](size_t i) { return change(i, sign); }));
  return success();
}

LogicalResult negate(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  return changeSign(machine, step, [&](size_t i, uint64_t sign) { return a.bits[i] ^ sign; });
}

LogicalResult absolute(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  return changeSign(machine, step, [&](size_t i, uint64_t sign) { return a.bits[i] & ~sign; });
}

LogicalResult copySign(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  return changeSign(machine, step,
                    [&](size_t i, uint64_t sign) { return (a.bits[i] & ~sign) | (b.bits[i] & sign); });
}

LogicalResult fused(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1), &c = machine.operand(step, 2);
  const Element::Kind kind = Element(a.type).kind;
  machine.setResult(step, elementwise(machine, step, [&](size_t i) {
                      return fusedMultiplyAdd(kind, decodeFloat(kind, a.bits[i]),
                                              decodeFloat(kind, b.bits[i]), decodeFloat(kind, c.bits[i]));
                    }));
  return success();
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
  machine.setResult(step, elementwise(machine, step, [&](size_t i) {
                      return uint64_t(
                          compares(predicate, decodeFloat(kind, a.bits[i]), decodeFloat(kind, b.bits[i])));
                    }));
  return success();
}

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
}

} // namespace tegula::interp
