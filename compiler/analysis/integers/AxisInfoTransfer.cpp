// The rule of each op for AxisInfo: which one it is, and those of ops that move elements.
#include "compiler/analysis/integers/AxisInfoRule.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

AxisInfo AxisInfoRule::elementwise() const {
  AxisInfo result = AxisInfo::unknown(type());
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    int64_t constancy = sizeAlong(type(), axis);
    for (const AxisInfo *operand : operands)
      if (operand->rank() == result.rank()) // a scalar among tensors, as in `arith.select`, is constant
        constancy = std::min(constancy, (*operand)[axis].constancy);
    result[axis].constancy = constancy;
  }
  return result;
}

AxisInfo AxisInfoRule::constant(int64_t value) const {
  return AxisInfo::constantOf(type(), llvm::SignExtend64(uint64_t(value), integerWidthOf(type())));
}

AxisInfo AxisInfoRule::expandDims(unsigned axis) const {
  AxisInfo result = AxisInfo::unknown(type());
  for (unsigned i = 0; i < result.rank(); ++i) {
    if (i == axis)
      result[i].divisibility = a().divisibilityOfEach();
    else
      result[i] = a()[i < axis ? i : i - 1];
  }
  return a().constant() ? constant(*a().constant()) : result;
}

AxisInfo AxisInfoRule::broadcast() const {
  if (a().constant())
    return constant(*a().constant());
  AxisInfo result = a();
  for (unsigned axis = 0; axis < result.rank(); ++axis)
    if (sizeAlong(op->getOperand(0).getType(), axis) != sizeAlong(type(), axis))
      result[axis].constancy = sizeAlong(type(), axis);
  return result;
}

/// Only the last axis keeps its runs: it is the one whose neighbours stay neighbours.
AxisInfo AxisInfoRule::reshape() const {
  if (a().constant())
    return constant(*a().constant());
  AxisInfo result = AxisInfo::unknown(type());
  for (unsigned axis = 0; axis < result.rank(); ++axis)
    result[axis].divisibility = a().divisibilityOfEach();
  unsigned last = result.rank() - 1, sourceLast = a().rank() - 1;
  int64_t side = sizeAlong(type(), last);
  AxisFacts &facts = result[last];
  facts.contiguity = std::min(a()[sourceLast].contiguity, side);
  facts.constancy = std::min(a()[sourceLast].constancy, side);
  facts.divisibility = a().divisibilityAt(sourceLast, facts.contiguity);
  return result;
}

AxisInfo AxisInfoRule::trans(ArrayRef<int32_t> order) const {
  AxisInfo result = a();
  for (auto [axis, from] : llvm::enumerate(order))
    result[unsigned(axis)] = a()[unsigned(from)];
  return result;
}

/// The number that a hint gives for `axis`, as a power of two.
static int64_t hinted(std::optional<ArrayRef<int64_t>> list, unsigned axis) {
  if (!list || axis >= list->size() || (*list)[axis] <= 0)
    return 1;
  return powerOfTwoDivisor((*list)[axis]);
}

/// Returns what divides the first of each group of `contiguity`, by what `hint` and the hints that it is of
/// state. A multiple stated alone is that of whole runs, which may be longer than what is known of them: a
/// group inside of one starts at a multiple of its own length. Single values are each a multiple.
static int64_t statedDivisibility(tile::HintOp hint, unsigned axis, int64_t contiguity, int64_t step) {
  int64_t divisibility = hinted(hint.getDivisibility(), axis);
  if (!hint.getContiguity() && contiguity > 1)
    divisibility = std::min(divisibility, contiguity * step);
  auto source = hint.getSource().getDefiningOp<tile::HintOp>();
  if (!source || !hint.getContiguity())
    return divisibility;
  // `max_contiguous(multiple_of(x, d), c)` says how long the runs are whose multiple was stated.
  return std::max(divisibility, std::min(hinted(source.getDivisibility(), axis), contiguity * step));
}

/// Returns whether some elements of `value` replace others that do not exist: `where(i < n, i, 0)`,
/// `minimum(i, n - 1)`. What is claimed of these, programs mean of those that exist alone, and leave the rest
/// out of what they store.
static bool replacesOthers(Value value) {
  while (auto hint = value.getDefiningOp<tile::HintOp>())
    value = hint.getSource();
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::SelectOp, arith::MinSIOp>(op) && isa<RankedTensorType>(value.getType());
}

AxisInfo AxisInfoRule::hint(tile::HintOp hint) const {
  AxisInfo result = a();
  if (queries.hints == Hints::Unread && !replacesOthers(hint.getSource()))
    return result;
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    AxisFacts &facts = result[axis];
    int64_t side = sizeAlong(type(), axis);
    // The first of a longer group is the first of a shorter one, so its divisibility stays known.
    facts.contiguity = std::max(facts.contiguity, std::min(side, hinted(hint.getContiguity(), axis)));
    facts.divisibility =
        std::max(facts.divisibility, statedDivisibility(hint, axis, facts.contiguity, a().step()));
    facts.constancy = std::max(facts.constancy, std::min(side, hinted(hint.getConstancy(), axis)));
  }
  return result;
}

/// Between pointers, and between pointers and integers: the address stays, what a step is may not.
AxisInfo AxisInfoRule::pointerCast() const {
  AxisInfo result = elementwise();
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    bool sameStep = a().step() == result.step();
    result[axis].contiguity = sameStep ? a()[axis].contiguity : 1;
    result[axis].divisibility = sameStep ? a()[axis].divisibility : a().divisibilityOfEach();
  }
  return result;
}

static std::optional<int64_t> shiftAsFactor(const AxisInfo &amount) {
  std::optional<int64_t> shift = amount.constant();
  if (!shift || *shift < 0 || *shift > 62)
    return std::nullopt;
  return int64_t(1) << *shift;
}

static AxisInfo ofConstant(arith::ConstantOp op) {
  if (std::optional<int64_t> number = getConstantIntValue(op.getResult()))
    return AxisInfo::constantOf(op.getType(), *number);
  AxisInfo result = AxisInfo::unknown(op.getType());
  if (isa<SplatElementsAttr>(op.getValue()))
    for (unsigned axis = 0; axis < result.rank(); ++axis)
      result[axis].constancy = sizeAlong(op.getType(), axis);
  return result;
}

static AxisInfo ofArange(tile::ArangeOp op) {
  int64_t start = op.getStartAttr().getInt();
  AxisInfo result = AxisInfo::unknown(op.getType());
  if (op.getType().getNumElements() == 1)
    return AxisInfo::constantOf(op.getType(), start);
  result[0].contiguity = op.getType().getNumElements();
  result[0].divisibility = powerOfTwoDivisor(start);
  return result;
}

static AxisInfo ofSplat(const AxisInfoRule &rule) {
  if (rule.a().constant())
    return rule.constant(*rule.a().constant());
  AxisInfo result = AxisInfo::unknown(rule.type());
  for (unsigned axis = 0; axis < result.rank(); ++axis) {
    result[axis].divisibility = rule.a().divisibilityOfEach();
    result[axis].constancy = sizeAlong(rule.type(), axis);
  }
  return result;
}

/// The loop whose variable `value` is, if it is one's.
static scf::ForOp loopOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  return loop && loop.getInductionVar() == value ? loop : scf::ForOp();
}

/// Returns the facts of how far a loop's variable is above the lower bound, a multiple of the step whatever
/// the bound: loops that count downwards subtract it. Loads ahead are so many steps further: `(i + 2 * step)
/// - low`.
static AxisInfo ofDistance(const AxisInfoRule &rule) {
  AxisInfo result = rule.sum(true);
  Value counted = rule.op->getOperand(0);
  std::optional<int64_t> ahead; // by what the number further on divides
  if (auto further = counted.getDefiningOp<arith::AddIOp>()) {
    const AxisInfo &more = rule.queries.factsOf(further.getRhs());
    if (!more.isComputed())
      return result;
    ahead = more.divisibilityOfEach();
    counted = further.getLhs();
  }
  scf::ForOp loop = loopOf(counted);
  if (!loop)
    return result;
  Value lower = loop.getLowerBound(), subtracted = rule.op->getOperand(1);
  std::optional<int64_t> known = rule.b().constant();
  const AxisInfo &bound = rule.queries.factsOf(lower), &step = rule.queries.factsOf(loop.getStep());
  if (!bound.isComputed() || !step.isComputed())
    return result;
  const int64_t each = step.divisibilityOfEach(), divisibility = ahead ? std::min(each, *ahead) : each;
  if (lower == subtracted || (known && bound.constant() == known))
    result[0].divisibility = std::max(result[0].divisibility, divisibility);
  return result;
}

AxisInfo transferAxisInfo(Operation *op, ArrayRef<const AxisInfo *> operands,
                          const TransferQueries &queries) {
  // Facts are kept in 64 bits; wider integers are no part of the dialect, but may be in IR.
  auto isWide = [](Type type) {
    Type element = tile::elementTypeOf(type);
    return element.isInteger() && element.getIntOrFloatBitWidth() > 64;
  };
  if (isWide(op->getResult(0).getType()) || llvm::any_of(op->getOperandTypes(), isWide))
    return AxisInfo::unknown(op->getResult(0).getType());
  AxisInfoRule rule{op, operands, queries};
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
      .Case([&](arith::SubIOp) { return ofDistance(rule); })
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
