// Integer arithmetic, comparisons and selections.
#include "compiler/interp/machine/Machine.h"

#include <bit>

using namespace mlir;

namespace tegula::interp {
namespace {

/// `Operate` takes the operands, zero-extended, and their width.
template <uint64_t (*Operate)(uint64_t, uint64_t, unsigned)>
LogicalResult binary(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  const Element element(a.type);
  return computeElements(
      machine, step, [&](size_t i) { return Operate(a.bits[i], b.bits[i], element.bits) & element.mask(); });
}

uint64_t add(uint64_t a, uint64_t b, unsigned) { return a + b; }
uint64_t subtract(uint64_t a, uint64_t b, unsigned) { return a - b; }
uint64_t multiply(uint64_t a, uint64_t b, unsigned) { return a * b; }
uint64_t exclusiveOr(uint64_t a, uint64_t b, unsigned) { return a ^ b; }
uint64_t minUnsigned(uint64_t a, uint64_t b, unsigned) { return std::min(a, b); }
uint64_t maxUnsigned(uint64_t a, uint64_t b, unsigned) { return std::max(a, b); }
uint64_t minSigned(uint64_t a, uint64_t b, unsigned n) { return signExtend(a, n) < signExtend(b, n) ? a : b; }
uint64_t maxSigned(uint64_t a, uint64_t b, unsigned n) { return signExtend(a, n) < signExtend(b, n) ? b : a; }

/// An op that has no result for some operands, of which `HasResult` tells.
template <uint64_t (*Operate)(uint64_t, uint64_t, unsigned), bool (*HasResult)(uint64_t, uint64_t, unsigned)>
LogicalResult partial(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  const Element element(a.type);
  Tensor result = elementwise(machine, step, [&](size_t i) {
    return HasResult(a.bits[i], b.bits[i], element.bits)
               ? Operate(a.bits[i], b.bits[i], element.bits) & element.mask()
               : 0;
  });
  for (size_t i = 0; i < result.size(); ++i)
    if (!HasResult(a.bits[i], b.bits[i], element.bits))
      result.setUndefined(i);
  machine.setResult(step, std::move(result));
  return success();
}

bool shiftsWithin(uint64_t, uint64_t b, unsigned n) { return b < n; }
uint64_t shiftLeft(uint64_t a, uint64_t b, unsigned) { return a << b; }
uint64_t shiftRight(uint64_t a, uint64_t b, unsigned) { return a >> b; }
uint64_t shiftRightSigned(uint64_t a, uint64_t b, unsigned n) { return uint64_t(signExtend(a, n) >> b); }

bool dividesUnsigned(uint64_t, uint64_t b, unsigned) { return b != 0; }
bool dividesSigned(uint64_t a, uint64_t b, unsigned n) {
  return b != 0 && !(signExtend(b, n) == -1 && a == uint64_t(1) << (n - 1));
}
uint64_t divideUnsigned(uint64_t a, uint64_t b, unsigned) { return a / b; }
uint64_t remainderUnsigned(uint64_t a, uint64_t b, unsigned) { return a % b; }
uint64_t ceilingUnsigned(uint64_t a, uint64_t b, unsigned) { return a / b + (a % b != 0); }
uint64_t divideSigned(uint64_t a, uint64_t b, unsigned n) {
  return uint64_t(signExtend(a, n) / signExtend(b, n));
}
uint64_t remainderSigned(uint64_t a, uint64_t b, unsigned n) {
  return uint64_t(signExtend(a, n) % signExtend(b, n));
}
uint64_t floorSigned(uint64_t a, uint64_t b, unsigned n) {
  const int64_t x = signExtend(a, n), y = signExtend(b, n);
  return uint64_t(x / y - (x % y != 0 && (x < 0) != (y < 0)));
}
uint64_t ceilingSigned(uint64_t a, uint64_t b, unsigned n) {
  const int64_t x = signExtend(a, n), y = signExtend(b, n);
  return uint64_t(x / y + (x % y != 0 && (x < 0) == (y < 0)));
}

/// Computes `and` and `or`: an operand that decides a bit by itself does so next to an undefined one, as
/// masks need.
template <bool IsAnd> LogicalResult bitwise(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  const uint64_t decided = IsAnd ? 0 : Element(a.type).mask();
  Tensor result = elementwise(
      machine, step, [&](size_t i) { return IsAnd ? a.bits[i] & b.bits[i] : a.bits[i] | b.bits[i]; });
  for (size_t i = 0; i < result.undefined.size(); ++i) {
    const bool byA = !a.isUndefined(i) && a.bits[i] == decided,
               byB = !b.isUndefined(i) && b.bits[i] == decided;
    if (byA || byB) {
      result.undefined[i] = 0;
      result.bits[i] = decided;
    }
  }
  machine.setResult(step, std::move(result));
  return success();
}

uint64_t leadingZeros(uint64_t a, unsigned n) { return uint64_t(std::countl_zero(a)) - (64 - n); }
uint64_t trailingZeros(uint64_t a, unsigned n) { return a ? uint64_t(std::countr_zero(a)) : n; }
uint64_t countOnes(uint64_t a, unsigned) { return uint64_t(std::popcount(a)); }
uint64_t absolute(uint64_t a, unsigned n) { return signExtend(a, n) < 0 ? 0 - a : a; }

template <uint64_t (*Operate)(uint64_t, unsigned)> LogicalResult unary(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0);
  const Element element(a.type);
  return computeElements(machine, step,
                         [&](size_t i) { return Operate(a.bits[i], element.bits) & element.mask(); });
}

/// The low and the high half of a product.
template <bool Signed> LogicalResult multiplyExtended(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  const Element element(a.type);
  const auto product = [&](size_t i) {
    if (Signed)
      return (unsigned __int128)((__int128)signExtend(a.bits[i], element.bits) *
                                 signExtend(b.bits[i], element.bits));
    return (unsigned __int128)a.bits[i] * b.bits[i];
  };
  Tensor low = elementwise(machine, step, [&](size_t i) { return uint64_t(product(i)) & element.mask(); });
  Tensor high = elementwise(machine, step,
                            [&](size_t i) { return uint64_t(product(i) >> element.bits) & element.mask(); });
  machine.setResult(step, std::move(low), 0);
  machine.setResult(step, std::move(high), 1);
  return success();
}

bool compares(arith::CmpIPredicate predicate, uint64_t a, uint64_t b, unsigned n) {
  const int64_t x = signExtend(a, n), y = signExtend(b, n);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return x < y;
  case arith::CmpIPredicate::sle:
    return x <= y;
  case arith::CmpIPredicate::sgt:
    return x > y;
  case arith::CmpIPredicate::sge:
    return x >= y;
  case arith::CmpIPredicate::ult:
    return a < b;
  case arith::CmpIPredicate::ule:
    return a <= b;
  case arith::CmpIPredicate::ugt:
    return a > b;
  case arith::CmpIPredicate::uge:
    return a >= b;
  }
  return false;
}

LogicalResult compare(Machine &machine, const Step &step) {
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  const unsigned bits = Element(a.type).bits;
  const arith::CmpIPredicate predicate = cast<arith::CmpIOp>(step.op).getPredicate();
  return computeElements(machine, step,
                         [&](size_t i) { return uint64_t(compares(predicate, a.bits[i], b.bits[i], bits)); });
}

/// The side that is not chosen may be undefined. One condition may choose between whole tensors.
LogicalResult select(Machine &machine, const Step &step) {
  const Tensor &condition = machine.operand(step, 0);
  Tensor result(step.op->getResult(0).getType());
  for (size_t i = 0; i < result.size(); ++i) {
    const size_t c = condition.size() == 1 ? 0 : i;
    result.setElement(i, machine.operand(step, condition.bits[c] ? 1 : 2), i);
    if (condition.isUndefined(c))
      result.setUndefined(i);
  }
  machine.setResult(step, std::move(result));
  return success();
}

} // namespace

void addIntegerOps(HandlerTable &table) {
  addHandler<arith::AddIOp>(table, binary<add>);
  addHandler<arith::SubIOp>(table, binary<subtract>);
  addHandler<arith::MulIOp>(table, binary<multiply>);
  addHandler<arith::XOrIOp>(table, binary<exclusiveOr>);
  addHandler<arith::MinUIOp>(table, binary<minUnsigned>);
  addHandler<arith::MaxUIOp>(table, binary<maxUnsigned>);
  addHandler<arith::MinSIOp>(table, binary<minSigned>);
  addHandler<arith::MaxSIOp>(table, binary<maxSigned>);
  addHandler<arith::AndIOp>(table, bitwise<true>);
  addHandler<arith::OrIOp>(table, bitwise<false>);
  addHandler<arith::ShLIOp>(table, partial<shiftLeft, shiftsWithin>);
  addHandler<arith::ShRUIOp>(table, partial<shiftRight, shiftsWithin>);
  addHandler<arith::ShRSIOp>(table, partial<shiftRightSigned, shiftsWithin>);
  addHandler<arith::DivUIOp>(table, partial<divideUnsigned, dividesUnsigned>);
  addHandler<arith::RemUIOp>(table, partial<remainderUnsigned, dividesUnsigned>);
  addHandler<arith::CeilDivUIOp>(table, partial<ceilingUnsigned, dividesUnsigned>);
  addHandler<arith::DivSIOp>(table, partial<divideSigned, dividesSigned>);
  addHandler<arith::RemSIOp>(table, partial<remainderSigned, dividesSigned>);
  addHandler<arith::FloorDivSIOp>(table, partial<floorSigned, dividesSigned>);
  addHandler<arith::CeilDivSIOp>(table, partial<ceilingSigned, dividesSigned>);
  addHandler<arith::MulUIExtendedOp>(table, multiplyExtended<false>);
  addHandler<arith::MulSIExtendedOp>(table, multiplyExtended<true>);
  addHandler<arith::CmpIOp>(table, compare);
  addHandler<arith::SelectOp>(table, select);
  addHandler<math::CountLeadingZerosOp>(table, unary<leadingZeros>);
  addHandler<math::CountTrailingZerosOp>(table, unary<trailingZeros>);
  addHandler<math::CtPopOp>(table, unary<countOnes>);
  addHandler<math::AbsIOp>(table, unary<absolute>);
}

} // namespace tegula::interp
