// The rules of arithmetic: what is known of sums, products, quotients, comparisons and casts.
#include "compiler/analysis/integers/AxisInfoRule.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

static int64_t saturatingProduct(int64_t x, int64_t y) {
  return x > MaxDivisibility / y ? MaxDivisibility : x * y;
}

AxisInfo AxisInfoRule::sum(bool subtract) const {
  if (a().constant() && b().constant()) {
    uint64_t x = uint64_t(*a().constant()), y = uint64_t(*b().constant());
    return constant(int64_t(subtract ? x - y : x + y));
  }
  AxisInfo result = elementwise();
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    int64_t c = std::min(a()[axis].contiguity, b()[axis].constancy);
    if (!subtract) // a constant less a run counts down
      c = std::max(c, std::min(a()[axis].constancy, b()[axis].contiguity));
    result[axis].contiguity = c;
    result[axis].divisibility = std::min(a().divisibilityAt(axis, c), b().divisibilityAt(axis, c));
  }
  return result;
}

AxisInfo AxisInfoRule::addptr() const {
  AxisInfo result = elementwise();
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    int64_t c = std::max(std::min(a()[axis].contiguity, b()[axis].constancy),
                         std::min(a()[axis].constancy, b()[axis].contiguity));
    int64_t offset = saturatingProduct(b().divisibilityAt(axis, c), result.step());
    result[axis].contiguity = c;
    result[axis].divisibility = std::min(a().divisibilityAt(axis, c), offset);
  }
  return result;
}

/// `ca` and `cb` are the factors where they are known; `divisorOfB` divides the second in any case.
AxisInfo AxisInfoRule::product(std::optional<int64_t> ca, std::optional<int64_t> cb,
                               int64_t divisorOfB) const {
  if (ca == 1)
    return b();
  if (cb == 1)
    return a();
  if (ca && cb)
    return constant(int64_t(uint64_t(*ca) * uint64_t(*cb)));
  AxisInfo result = elementwise();
  for (unsigned axis = 0; axis < result.rank(); ++axis)
    result[axis].divisibility = saturatingProduct(a().divisibilityOfEach(), divisorOfB);
  return result;
}

/// Division whose result is constant over an aligned group of numbers where the divisor is a multiple
/// of the group's length. `floors` tells that it rounds down for all values that occur.
AxisInfo AxisInfoRule::quotient(std::optional<int64_t> divisor, bool floors) const {
  if (divisor == 1)
    return a();
  AxisInfo result = elementwise();
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    AxisFacts &facts = result[axis];
    if (divisor && *divisor > 0 && llvm::isPowerOf2_64(uint64_t(*divisor)))
      facts.divisibility = std::max<int64_t>(1, a().divisibilityOfEach() / *divisor);
    if (!floors)
      continue;
    int64_t group = a().alignedRun(axis);
    int64_t equal = divisor ? group : std::min(group, b()[axis].constancy);
    equal = std::min(equal, divisor ? powerOfTwoDivisor(*divisor) : b().divisibilityOfEach());
    facts.constancy = std::max(facts.constancy, equal);
  }
  return result;
}

/// An aligned run stays one where the divisor, a multiple of its length, is constant over it; but a run of
/// negative numbers, whose signed remainders are negative, breaks at multiples of the divisor: -16, -15, ...
/// by 16 gives 0, -15, ... `keepsRuns` tells that none occurs.
AxisInfo AxisInfoRule::remainder(const AxisInfo &dividend, const AxisInfo &divisor, bool keepsRuns) const {
  AxisInfo result = elementwise();
  int64_t divides = divisor.divisibilityOfEach();
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    AxisFacts &facts = result[axis];
    if (keepsRuns)
      facts.contiguity = std::min({dividend.alignedRun(axis), divisor[axis].constancy, divides});
    facts.divisibility = std::min(dividend.divisibilityAt(axis, facts.contiguity), divides);
  }
  return result;
}

AxisInfo AxisInfoRule::bitAnd() const {
  AxisInfo result = elementwise();
  int64_t each = std::max(a().divisibilityOfEach(), b().divisibilityOfEach());
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    AxisFacts &facts = result[axis];
    facts.divisibility = each;
    if (!b().constant())
      continue;
    int64_t mask = *b().constant(), run = a().alignedRun(axis);
    // High bits only: the low ones of a run, which are all that changes along it, go away.
    facts.constancy = std::max(facts.constancy, std::min(run, powerOfTwoDivisor(mask)));
    // Low bits only: a remainder by a power of two.
    if (int64_t size = mask + 1; size > 0 && llvm::isPowerOf2_64(uint64_t(size))) {
      facts.contiguity = std::min(run, size);
      facts.divisibility = std::max(each, a().divisibilityAt(axis, facts.contiguity));
    }
  }
  return result;
}

AxisInfo AxisInfoRule::bitOrXor() const {
  AxisInfo result = elementwise();
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    // If one side is an aligned run and the other's low bits are zero, this is a sum.
    auto run = [&](const AxisInfo &x, const AxisInfo &y) {
      return std::min({x.alignedRun(axis), y[axis].constancy, y.divisibilityOfEach()});
    };
    int64_t c = std::max(run(a(), b()), run(b(), a()));
    result[axis].contiguity = c;
    result[axis].divisibility = std::min(a().divisibilityAt(axis, c), b().divisibilityAt(axis, c));
  }
  return result;
}

/// `x < y` has one answer for an aligned group of x if y, constant over it, is a multiple of its length.
static int64_t constantGroup(const AxisInfo &x, const AxisInfo &y, unsigned axis, bool orEqual) {
  int64_t divides = y.divisibilityOfEach();
  if (orEqual) { // x <= y is x < y + 1
    if (!y.constant() || *y.constant() == INT64_MAX)
      return 1;
    divides = powerOfTwoDivisor(*y.constant() + 1);
  }
  return std::min({x.alignedRun(axis), y[axis].constancy, divides});
}

AxisInfo AxisInfoRule::compare(arith::CmpIPredicate predicate) const {
  using P = arith::CmpIPredicate;
  bool less = llvm::is_contained({P::slt, P::ult, P::sge, P::uge}, predicate);
  bool greater = llvm::is_contained({P::sgt, P::ugt, P::sle, P::ule}, predicate);
  AxisInfo result = elementwise();
  for (unsigned axis = 0; axis < result.rank() && (less || greater); ++axis) {
    // a < b is not b <= a; a > b is b < a.
    int64_t group = std::max(constantGroup(a(), b(), axis, greater), constantGroup(b(), a(), axis, less));
    result[axis].constancy = std::max(result[axis].constancy, group);
  }
  return result;
}

/// `r < 0 ? r + n : r` with r = a % n, which is how programs write the remainder that is never negative. It
/// keeps the runs of a, negative or not: it needs no trust.
std::optional<AxisInfo> AxisInfoRule::floorRemainder() const {
  auto isBelowZero = op->getOperand(0).getDefiningOp<arith::CmpIOp>();
  auto moved = op->getOperand(1).getDefiningOp<arith::AddIOp>();
  auto remainder = op->getOperand(2).getDefiningOp<arith::RemSIOp>();
  if (!isBelowZero || !moved || !remainder || isBelowZero.getPredicate() != arith::CmpIPredicate::slt ||
      isBelowZero.getLhs() != remainder.getResult() || !isConstantIntValue(isBelowZero.getRhs(), 0))
    return std::nullopt;
  Value divisor = remainder.getRhs();
  bool adds = (moved.getLhs() == remainder.getResult() && moved.getRhs() == divisor) ||
              (moved.getRhs() == remainder.getResult() && moved.getLhs() == divisor);
  const AxisInfo &dividend = queries.factsOf(remainder.getLhs()), &by = queries.factsOf(divisor);
  if (!adds || !queries.isNotNegative(divisor) || !dividend.isComputed() || !by.isComputed())
    return std::nullopt;
  return this->remainder(dividend, by, true);
}

AxisInfo AxisInfoRule::select() const {
  AxisInfo result = elementwise();
  const AxisInfo &condition = *operands[0], &yes = *operands[1], &no = *operands[2];
  if (yes.constant() && yes.constant() == no.constant())
    return yes;
  if (std::optional<AxisInfo> floored = floorRemainder())
    return *floored;
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    AxisFacts &facts = result[axis];
    int64_t chosen = condition.rank() == result.rank() && isa<RankedTensorType>(op->getOperand(0).getType())
                         ? condition[axis].constancy
                         : sizeAlong(type(), axis);
    facts.contiguity = std::min({yes[axis].contiguity, no[axis].contiguity, chosen});
    facts.divisibility =
        std::min(yes.divisibilityAt(axis, facts.contiguity), no.divisibilityAt(axis, facts.contiguity));
  }
  return result;
}

AxisInfo AxisInfoRule::minMax() const {
  AxisInfo result = elementwise();
  for (unsigned axis = 0; axis < result.rank(); ++axis)
    result[axis].divisibility = std::min(a().divisibilityOfEach(), b().divisibilityOfEach());
  return result;
}

AxisInfo AxisInfoRule::integerCast() const {
  if (a().constant()) {
    bool zeroExtends = isa<arith::ExtUIOp, arith::IndexCastUIOp>(op);
    unsigned width = integerWidthOf(op->getOperand(0).getType());
    uint64_t bits = uint64_t(*a().constant());
    return constant(
        int64_t(zeroExtends && width < 64 ? bits & llvm::maskTrailingOnes<uint64_t>(width) : bits));
  }
  // One bit has no runs worth the name, and widening it would invent some.
  if (integerWidthOf(type()) == 1 || integerWidthOf(op->getOperand(0).getType()) == 1)
    return elementwise();
  AxisInfo result = a();
  // A run longer than half of what the bits can count would break within when read as signed later on.
  int64_t longest = int64_t(1) << (std::min(integerWidthOf(type()), 62u) - 1);
  for (unsigned axis = 0; axis < result.rank(); ++axis)
    if (result[axis].contiguity > longest) {
      result[axis].divisibility = a().divisibilityAt(axis, longest);
      result[axis].contiguity = longest;
    }
  return result;
}

} // namespace tegula
