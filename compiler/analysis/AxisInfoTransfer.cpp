// The rule of each op for AxisInfo. A rule is right if it is right modulo 2^bits: see AxisInfo.h.
#include "compiler/analysis/AxisInfoAnalysis.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

namespace {

/// What one visit of an op needs; `a` and `b` are the facts of the first two operands.
struct Rule {
  Operation *op;
  ArrayRef<const AxisInfo *> operands;
  const TransferQueries &queries;

  Type type() const { return op->getResult(0).getType(); }
  const AxisInfo &a() const { return *operands[0]; }
  const AxisInfo &b() const { return *operands[1]; }
  /// Nothing known but the groups of equal results that equal operands give.
  AxisInfo elementwise() const;
  /// The result when every element is `value` reduced to the result's width.
  AxisInfo constant(int64_t value) const;

  AxisInfo sum(bool subtract) const;
  AxisInfo addptr() const;
  AxisInfo product(std::optional<int64_t> ca, std::optional<int64_t> cb, int64_t divisorOfB) const;
  AxisInfo quotient(std::optional<int64_t> divisor, bool floors) const;
  AxisInfo remainder(const AxisInfo &dividend, const AxisInfo &divisor, bool keepsRuns) const;
  std::optional<AxisInfo> floorRemainder() const;
  AxisInfo bitAnd() const;
  AxisInfo bitOrXor() const;
  AxisInfo compare(arith::CmpIPredicate predicate) const;
  AxisInfo select() const;
  AxisInfo minMax() const;
  AxisInfo integerCast() const;
  AxisInfo expandDims(unsigned axis) const;
  AxisInfo broadcast() const;
  AxisInfo reshape() const;
  AxisInfo trans(ArrayRef<int32_t> order) const;
  AxisInfo hint(tile::HintOp hint) const;
  AxisInfo pointerCast() const;
};

unsigned widthOf(Type type) {
  Type element = tile::elementTypeOf(type);
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

int64_t sizeOf(Type type, unsigned axis) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getDimSize(axis) : 1;
}

AxisInfo Rule::elementwise() const {
  AxisInfo result = AxisInfo::unknown(type());
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    int64_t constancy = sizeOf(type(), axis);
    for (const AxisInfo *operand : operands)
      if (operand->rank() == result.rank()) // a scalar among tensors, as in `arith.select`, is constant
        constancy = std::min(constancy, (*operand)[axis].constancy);
    result[axis].constancy = constancy;
  }
  return result;
}

AxisInfo Rule::constant(int64_t value) const {
  return AxisInfo::constantOf(type(), llvm::SignExtend64(uint64_t(value), widthOf(type())));
}

AxisInfo Rule::sum(bool subtract) const {
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

AxisInfo Rule::addptr() const {
  AxisInfo result = elementwise();
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    int64_t c = std::max(std::min(a()[axis].contiguity, b()[axis].constancy),
                         std::min(a()[axis].constancy, b()[axis].contiguity));
    int64_t offset = b().divisibilityAt(axis, c);
    offset = offset > MaxDivisibility / result.step() ? MaxDivisibility : offset * result.step();
    result[axis].contiguity = c;
    result[axis].divisibility = std::min(a().divisibilityAt(axis, c), offset);
  }
  return result;
}

int64_t saturatingProduct(int64_t x, int64_t y) { return x > MaxDivisibility / y ? MaxDivisibility : x * y; }

/// `ca` and `cb` are the factors where they are known; `divisorOfB` divides the second in any case.
AxisInfo Rule::product(std::optional<int64_t> ca, std::optional<int64_t> cb, int64_t divisorOfB) const {
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
AxisInfo Rule::quotient(std::optional<int64_t> divisor, bool floors) const {
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
AxisInfo Rule::remainder(const AxisInfo &dividend, const AxisInfo &divisor, bool keepsRuns) const {
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

AxisInfo Rule::bitAnd() const {
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

AxisInfo Rule::bitOrXor() const {
  AxisInfo result = elementwise();
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    // Where one side is an aligned run and the other's low bits are zero, this is a sum.
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
int64_t constantGroup(const AxisInfo &x, const AxisInfo &y, unsigned axis, bool orEqual) {
  int64_t divides = y.divisibilityOfEach();
  if (orEqual) { // x <= y is x < y + 1
    if (!y.constant() || *y.constant() == INT64_MAX)
      return 1;
    divides = powerOfTwoDivisor(*y.constant() + 1);
  }
  return std::min({x.alignedRun(axis), y[axis].constancy, divides});
}

AxisInfo Rule::compare(arith::CmpIPredicate predicate) const {
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

/// True where `value` is `number` everywhere.
bool isNumber(Value value, int64_t number) {
  APInt found;
  return matchPattern(value, m_ConstantInt(&found)) && found.getSExtValue() == number;
}

/// `r < 0 ? r + n : r` with r = a % n, which is how programs write the remainder that is never negative. It
/// keeps the runs of a, negative or not: it needs no trust.
std::optional<AxisInfo> Rule::floorRemainder() const {
  auto isBelowZero = op->getOperand(0).getDefiningOp<arith::CmpIOp>();
  auto moved = op->getOperand(1).getDefiningOp<arith::AddIOp>();
  auto remainder = op->getOperand(2).getDefiningOp<arith::RemSIOp>();
  if (!isBelowZero || !moved || !remainder || isBelowZero.getPredicate() != arith::CmpIPredicate::slt ||
      isBelowZero.getLhs() != remainder.getResult() || !isNumber(isBelowZero.getRhs(), 0))
    return std::nullopt;
  Value divisor = remainder.getRhs();
  bool adds = (moved.getLhs() == remainder.getResult() && moved.getRhs() == divisor) ||
              (moved.getRhs() == remainder.getResult() && moved.getLhs() == divisor);
  const AxisInfo &dividend = queries.factsOf(remainder.getLhs()), &by = queries.factsOf(divisor);
  if (!adds || !queries.isNotNegative(divisor) || !dividend.isComputed() || !by.isComputed())
    return std::nullopt;
  return this->remainder(dividend, by, true);
}

AxisInfo Rule::select() const {
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
                         : sizeOf(type(), axis);
    facts.contiguity = std::min({yes[axis].contiguity, no[axis].contiguity, chosen});
    facts.divisibility =
        std::min(yes.divisibilityAt(axis, facts.contiguity), no.divisibilityAt(axis, facts.contiguity));
  }
  return result;
}

AxisInfo Rule::minMax() const {
  AxisInfo result = elementwise();
  for (unsigned axis = 0; axis < result.rank(); ++axis)
    result[axis].divisibility = std::min(a().divisibilityOfEach(), b().divisibilityOfEach());
  return result;
}

AxisInfo Rule::integerCast() const {
  if (a().constant()) {
    bool zeroExtends = isa<arith::ExtUIOp, arith::IndexCastUIOp>(op);
    unsigned width = widthOf(op->getOperand(0).getType());
    uint64_t bits = uint64_t(*a().constant());
    return constant(
        int64_t(zeroExtends && width < 64 ? bits & llvm::maskTrailingOnes<uint64_t>(width) : bits));
  }
  // One bit has no runs worth the name, and widening it would invent some.
  if (widthOf(type()) == 1 || widthOf(op->getOperand(0).getType()) == 1)
    return elementwise();
  AxisInfo result = a();
  // A run longer than half of what the bits can count would break within when read as signed later on.
  int64_t longest = int64_t(1) << (std::min(widthOf(type()), 62u) - 1);
  for (unsigned axis = 0; axis < result.rank(); ++axis)
    if (result[axis].contiguity > longest) {
      result[axis].divisibility = a().divisibilityAt(axis, longest);
      result[axis].contiguity = longest;
    }
  return result;
}

AxisInfo Rule::expandDims(unsigned axis) const {
  AxisInfo result = AxisInfo::unknown(type());
  for (unsigned i = 0; i < result.rank(); ++i) {
    if (i == axis)
      result[i].divisibility = a().divisibilityOfEach();
    else
      result[i] = a()[i < axis ? i : i - 1];
  }
  return a().constant() ? constant(*a().constant()) : result;
}

AxisInfo Rule::broadcast() const {
  if (a().constant())
    return constant(*a().constant());
  AxisInfo result = a();
  for (unsigned axis = 0; axis < result.rank(); ++axis)
    if (sizeOf(op->getOperand(0).getType(), axis) != sizeOf(type(), axis))
      result[axis].constancy = sizeOf(type(), axis);
  return result;
}

/// Only the last axis keeps its runs: it is the one whose neighbours stay neighbours.
AxisInfo Rule::reshape() const {
  if (a().constant())
    return constant(*a().constant());
  AxisInfo result = AxisInfo::unknown(type());
  for (unsigned axis = 0; axis < result.rank(); ++axis)
    result[axis].divisibility = a().divisibilityOfEach();
  unsigned last = result.rank() - 1, sourceLast = a().rank() - 1;
  int64_t side = sizeOf(type(), last);
  AxisFacts &facts = result[last];
  facts.contiguity = std::min(a()[sourceLast].contiguity, side);
  facts.constancy = std::min(a()[sourceLast].constancy, side);
  facts.divisibility = a().divisibilityAt(sourceLast, facts.contiguity);
  return result;
}

AxisInfo Rule::trans(ArrayRef<int32_t> order) const {
  AxisInfo result = a();
  for (auto [axis, from] : llvm::enumerate(order))
    result[unsigned(axis)] = a()[unsigned(from)];
  return result;
}

/// The number that a hint gives for `axis`, as a power of two.
int64_t hinted(std::optional<ArrayRef<int64_t>> list, unsigned axis) {
  if (!list || axis >= list->size() || (*list)[axis] <= 0)
    return 1;
  return powerOfTwoDivisor((*list)[axis]);
}

/// What divides the first of each group of `contiguity`, by what `hint` and the hints that it is of state. A
/// multiple stated alone is that of whole runs, which may be longer than what is known of them: a group
/// inside of one starts at a multiple of its own length. Single values are each a multiple.
int64_t statedDivisibility(tile::HintOp hint, unsigned axis, int64_t contiguity, int64_t step) {
  int64_t divisibility = hinted(hint.getDivisibility(), axis);
  if (!hint.getContiguity() && contiguity > 1)
    divisibility = std::min(divisibility, contiguity * step);
  auto source = hint.getSource().getDefiningOp<tile::HintOp>();
  if (!source || !hint.getContiguity())
    return divisibility;
  // `max_contiguous(multiple_of(x, d), c)` says how long the runs are whose multiple was stated.
  return std::max(divisibility, std::min(hinted(source.getDivisibility(), axis), contiguity * step));
}

AxisInfo Rule::hint(tile::HintOp hint) const {
  AxisInfo result = a();
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    AxisFacts &facts = result[axis];
    int64_t side = sizeOf(type(), axis);
    // The first of a longer group is the first of a shorter one, so its divisibility stays known.
    facts.contiguity = std::max(facts.contiguity, std::min(side, hinted(hint.getContiguity(), axis)));
    facts.divisibility =
        std::max(facts.divisibility, statedDivisibility(hint, axis, facts.contiguity, a().step()));
    facts.constancy = std::max(facts.constancy, std::min(side, hinted(hint.getConstancy(), axis)));
  }
  return result;
}

/// Between pointers, and between pointers and integers: the address stays, what a step is may not.
AxisInfo Rule::pointerCast() const {
  AxisInfo result = elementwise();
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    bool sameStep = a().step() == result.step();
    result[axis].contiguity = sameStep ? a()[axis].contiguity : 1;
    result[axis].divisibility = sameStep ? a()[axis].divisibility : a().divisibilityOfEach();
  }
  return result;
}

std::optional<int64_t> shiftAsFactor(const AxisInfo &amount) {
  std::optional<int64_t> shift = amount.constant();
  if (!shift || *shift < 0 || *shift > 62)
    return std::nullopt;
  return int64_t(1) << *shift;
}

AxisInfo ofConstant(arith::ConstantOp op) {
  Attribute value = op.getValue();
  if (auto dense = dyn_cast<DenseIntElementsAttr>(value); dense && dense.isSplat())
    return AxisInfo::constantOf(op.getType(), dense.getSplatValue<APInt>().getSExtValue());
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return AxisInfo::constantOf(op.getType(), integer.getValue().getSExtValue());
  AxisInfo result = AxisInfo::unknown(op.getType());
  if (auto dense = dyn_cast<DenseElementsAttr>(value); dense && dense.isSplat())
    for (unsigned axis = 0; axis < result.rank(); ++axis)
      result[axis].constancy = sizeOf(op.getType(), axis);
  return result;
}

AxisInfo ofArange(tile::ArangeOp op) {
  int64_t start = op.getStartAttr().getInt();
  AxisInfo result = AxisInfo::unknown(op.getType());
  if (op.getType().getNumElements() == 1)
    return AxisInfo::constantOf(op.getType(), start);
  result[0].contiguity = op.getType().getNumElements();
  result[0].divisibility = powerOfTwoDivisor(start);
  return result;
}

AxisInfo ofSplat(const Rule &rule) {
  if (rule.a().constant())
    return rule.constant(*rule.a().constant());
  AxisInfo result = AxisInfo::unknown(rule.type());
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    result[axis].divisibility = rule.a().divisibilityOfEach();
    result[axis].constancy = sizeOf(rule.type(), axis);
  }
  return result;
}

} // namespace

AxisInfo transferAxisInfo(Operation *op, ArrayRef<const AxisInfo *> operands,
                          const TransferQueries &queries) {
  // Facts are kept in 64 bits; wider integers are no part of the dialect, but may stand in IR.
  auto isWide = [](Type type) {
    Type element = tile::elementTypeOf(type);
    return element.isInteger() && element.getIntOrFloatBitWidth() > 64;
  };
  if (isWide(op->getResult(0).getType()) || llvm::any_of(op->getOperandTypes(), isWide))
    return AxisInfo::unknown(op->getResult(0).getType());
  Rule rule{op, operands, queries};
  auto constantOfSecond = [&] { return rule.b().constant(); };
  return llvm::TypeSwitch<Operation *, AxisInfo>(op)
      .Case([&](arith::ConstantOp constant) { return ofConstant(constant); })
      .Case([&](tile::ArangeOp arange) { return ofArange(arange); })
      .Case([&](tile::SplatOp) { return ofSplat(rule); })
      .Case([&](tile::ExpandDimsOp expand) { return rule.expandDims(unsigned(expand.getAxis())); })
      .Case([&](tile::BroadcastOp) { return rule.broadcast(); })
      .Case([&](tile::ReshapeOp) { return rule.reshape(); })
      .Case([&](tile::TransOp trans) { return rule.trans(trans.getOrder()); })
      .Case<tile::ConvertLayoutOp, tile::OptBarrierOp>([&](auto) { return rule.a(); })
      .Case([&](tile::HintOp hint) { return rule.hint(hint); })
      .Case([&](tile::AddPtrOp) { return rule.addptr(); })
      .Case<tile::BitcastOp, tile::IntToPtrOp, tile::PtrToIntOp>([&](auto) { return rule.pointerCast(); })
      .Case([&](arith::AddIOp) { return rule.sum(false); })
      .Case([&](arith::SubIOp) { return rule.sum(true); })
      .Case([&](arith::MulIOp) {
        return rule.product(rule.a().constant(), rule.b().constant(), rule.b().divisibilityOfEach());
      })
      .Case([&](arith::ShLIOp) {
        std::optional<int64_t> factor = shiftAsFactor(rule.b());
        return rule.product(std::nullopt, factor, factor.value_or(1));
      })
      .Case([&](arith::DivUIOp) { return rule.quotient(constantOfSecond(), true); })
      .Case([&](arith::DivSIOp) {
        // The divisor's sign is the result's as well, and groups of equal results stay so.
        return rule.quotient(constantOfSecond(), queries.mayDivide(op->getOperand(0)));
      })
      .Case<arith::ShRSIOp, arith::ShRUIOp>([&](auto) {
        std::optional<int64_t> factor = shiftAsFactor(rule.b());
        return factor ? rule.quotient(factor, true) : rule.elementwise();
      })
      .Case([&](arith::RemUIOp) { return rule.remainder(rule.a(), rule.b(), true); })
      .Case([&](arith::RemSIOp) {
        return rule.remainder(rule.a(), rule.b(), queries.mayDivide(op->getOperand(0)));
      })
      .Case([&](arith::AndIOp) { return rule.bitAnd(); })
      .Case<arith::OrIOp, arith::XOrIOp>([&](auto) { return rule.bitOrXor(); })
      .Case([&](arith::CmpIOp compare) { return rule.compare(compare.getPredicate()); })
      .Case([&](arith::SelectOp) { return rule.select(); })
      .Case<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(
          [&](auto) { return rule.minMax(); })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp>(
          [&](auto) { return rule.integerCast(); })
      .Default([&](Operation *other) {
        bool followsOperands = other->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(other);
        return followsOperands ? rule.elementwise() : AxisInfo::unknown(rule.type());
      });
}

} // namespace tegula
