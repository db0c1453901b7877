// From one element type to another.
#include "compiler/interp/machine/Machine.h"
#include "compiler/interp/values/Floats.h"
#include "dialect/tile/Tile.h"

#include <cmath>

using namespace mlir;

namespace tegula::interp {
namespace {

/// The bits as they are, as many as the result has: also from pointers to integers and back.
LogicalResult keepBits(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  const uint64_t mask = Element(step.op->getResult(0).getType()).mask();
  return computeElements(machine, step, [&](size_t i) { return a.bits[i] & mask; });
}

LogicalResult extendSigned(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  const unsigned bits = Element(a.type).bits;
  const uint64_t mask = Element(step.op->getResult(0).getType()).mask();
  return computeElements(machine, step,
                         [&](size_t i) { return uint64_t(signExtend(a.bits[i], bits)) & mask; });
}

LogicalResult floatToFloat(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  const Element::Kind from = Element(a.type).kind, to = Element(step.op->getResult(0).getType()).kind;
  bool towardZero = false;
  if (auto truncate = dyn_cast<arith::TruncFOp>(step.op))
    towardZero = truncate.getRoundingmode() == arith::RoundingMode::toward_zero;
  return computeElements(machine, step,
                         [&](size_t i) { return encodeFloat(to, decodeFloat(from, a.bits[i]), towardZero); });
}

template <bool Signed> LogicalResult integerToFloat(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  const unsigned bits = Element(a.type).bits;
  const Element::Kind to = Element(step.op->getResult(0).getType()).kind;
  return computeElements(machine, step, [&](size_t i) {
    const int64_t value = Signed ? signExtend(a.bits[i], bits) : 0;
    const uint64_t magnitude = !Signed ? a.bits[i] : value < 0 ? 0 - uint64_t(value) : uint64_t(value);
    if (to == Element::Float64)
      return encodeFloat(to, value < 0 ? -double(magnitude) : double(magnitude));
    return encodeFloat(to, roundToOdd(magnitude, value < 0));
  });
}

/// Towards zero. A value that the integer cannot hold, and NaN, has no result.
template <bool Signed> LogicalResult floatToInteger(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  const Element::Kind from = Element(a.type).kind;
  const Element to(step.op->getResult(0).getType());
  const double least = Signed ? -std::ldexp(1.0, to.bits - 1) : 0,
               end = std::ldexp(1.0, Signed ? to.bits - 1 : to.bits);
  const auto fits = [&](size_t i) {
    const double whole = std::trunc(decodeFloat(from, a.bits[i]));
    return whole >= least && whole < end;
  };
  Tensor result = elementwise(machine, step, [&](size_t i) -> uint64_t {
    if (!fits(i))
      return 0;
    const double whole = std::trunc(decodeFloat(from, a.bits[i]));
    return (Signed ? uint64_t(int64_t(whole)) : uint64_t(whole)) & to.mask();
  });
  for (size_t i = 0; i < result.size(); ++i)
    if (!fits(i))
      result.setUndefined(i);
  machine.setResult(step, std::move(result));
  return success();
}

} // namespace

void addCastOps(HandlerTable &table) {
  addHandler<arith::ExtUIOp>(table, keepBits);
  addHandler<arith::TruncIOp>(table, keepBits);
  addHandler<arith::BitcastOp>(table, keepBits);
  addHandler<tile::IntToPtrOp>(table, keepBits);
  addHandler<tile::PtrToIntOp>(table, keepBits);
  addHandler<tile::BitcastOp>(table, keepBits);
  addHandler<arith::ExtSIOp>(table, extendSigned);
  addHandler<arith::ExtFOp>(table, floatToFloat);
  addHandler<arith::TruncFOp>(table, floatToFloat);
  addHandler<arith::SIToFPOp>(table, integerToFloat<true>);
  addHandler<arith::UIToFPOp>(table, integerToFloat<false>);
  addHandler<arith::FPToSIOp>(table, floatToInteger<true>);
  addHandler<arith::FPToUIOp>(table, floatToInteger<false>);
}

} // namespace tegula::interp
