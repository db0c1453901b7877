#include "compiler/analysis/integers/IntegerRanges.h"
#include "compiler/analysis/integers/KernelParam.h"

#include "dialect/tile/Tile.h"

#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"
#include "llvm/IR/ConstantRange.h"

using namespace mlir;

namespace tegula {

namespace {

using Range = ConstantIntRanges;

/// A range may grow so often before it is given up: chains of ops that feed a loop settle in fewer steps, and
/// what counts upwards would take as many as the loop has iterations.
constexpr unsigned MaxGrowths = 4;

Range notNegative(unsigned width) {
  return Range::fromSigned(APInt::getZero(width), APInt::getSignedMaxValue(width));
}

bool isNotNegative(const Range &range) { return range.smin().isNonNegative(); }

bool onlyRearranges(Operation *op) {
  return isa<tile::SplatOp, tile::ExpandDimsOp, tile::BroadcastOp, tile::ReshapeOp, tile::TransOp,
             tile::HintOp, tile::ConvertLayoutOp, tile::OptBarrierOp>(op) &&
         tile::elementTypeOf(op->getResult(0).getType()).isInteger();
}

/// Values x with `x predicate bound`.
Range satisfying(arith::CmpIPredicate predicate, const APInt &bound) {
  using enum llvm::CmpInst::Predicate;
  // In the order of arith's own predicates.
  constexpr llvm::CmpInst::Predicate upstream[] = {ICMP_EQ,  ICMP_NE,  ICMP_SLT, ICMP_SLE, ICMP_SGT,
                                                   ICMP_SGE, ICMP_ULT, ICMP_ULE, ICMP_UGT, ICMP_UGE};
  auto region =
      llvm::ConstantRange::makeAllowedICmpRegion(upstream[unsigned(predicate)], llvm::ConstantRange(bound));
  if (region.isEmptySet()) // an assumption that cannot hold says nothing worth knowing
    return Range::maxRange(bound.getBitWidth());
  return Range(region.getUnsignedMin(), region.getUnsignedMax(), region.getSignedMin(),
               region.getSignedMax());
}

/// Returns what both ranges allow; `range` where that is nothing, as in code that is never reached.
Range narrowed(const Range &range, const Range &by) {
  Range both = range.intersection(by);
  return both.smin().sgt(both.smax()) || both.umin().ugt(both.umax()) ? range : both;
}

/// Narrower integers wrap on purpose: a sum of bytes is no index.
constexpr unsigned LeastIndexBits = 32;

/// A sum, product or left shift of numbers that are not negative, which does not overflow.
std::optional<Range> withoutOverflow(Operation *op, ArrayRef<Range> operands) {
  using intrange::OverflowFlags;
  if (!isa<arith::AddIOp, arith::MulIOp, arith::ShLIOp>(op) || !llvm::all_of(operands, isNotNegative) ||
      operands[0].smin().getBitWidth() < LeastIndexBits)
    return std::nullopt;
  Range result = isa<arith::AddIOp>(op)   ? intrange::inferAdd(operands, OverflowFlags::Nsw)
                 : isa<arith::MulIOp>(op) ? intrange::inferMul(operands, OverflowFlags::Nsw)
                                          : intrange::inferShl(operands, OverflowFlags::Nsw);
  return narrowed(result, notNegative(result.smin().getBitWidth()));
}

/// Returns the range of a signed division by a number that may be zero.
std::optional<Range> rangeOfSignedDivision(bool isRemainder, const Range &dividend, const Range &divisor) {
  unsigned width = dividend.smin().getBitWidth();
  APInt zero = APInt::getZero(width);
  if (isNotNegative(dividend) && isNotNegative(divisor) && divisor.smax().isStrictlyPositive()) {
    Range positive = Range::fromSigned(APInt(width, 1), divisor.smax());
    return isRemainder ? intrange::inferRemS({dividend, positive})
                       : intrange::inferDivS({dividend, positive});
  }
  // A remainder has the dividend's sign.
  if (isRemainder)
    return Range::fromSigned(llvm::APIntOps::smin(dividend.smin(), zero),
                             llvm::APIntOps::smax(dividend.smax(), zero));
  if (dividend.smin().isMinSignedValue())
    return std::nullopt;
  APInt largest = llvm::APIntOps::smax(dividend.smin().abs(), dividend.smax().abs());
  return Range::fromSigned(-largest, largest);
}

} // namespace

std::optional<Range> rangeOfDivision(Operation *op, ArrayRef<Range> operands) {
  if (isa<arith::DivUIOp, arith::RemUIOp>(op) && operands[1].umin().isZero())
    return Range::fromUnsigned(APInt::getZero(operands[0].umax().getBitWidth()), operands[0].umax());
  if (!isa<arith::DivSIOp, arith::RemSIOp>(op) || operands[1].smin().isStrictlyPositive() ||
      operands[1].smax().isNegative())
    return std::nullopt;
  return rangeOfSignedDivision(isa<arith::RemSIOp>(op), operands[0], operands[1]);
}

IntegerRanges::IntegerRanges(DataFlowSolver &solver, Operation *top, Trust trust)
    : IntegerRangeAnalysis(solver), trust(trust) {
  collectAssumptions(top);
}

/// Collects only assumptions in the block that defines their subject: those hold whenever the value exists.
void IntegerRanges::collectAssumptions(Operation *top) {
  top->walk([&](tile::AssumeOp assume) {
    auto compare = assume.getCondition().getDefiningOp<arith::CmpIOp>();
    APInt bound; // canonical comparisons have their constant on the right
    if (!compare || !matchPattern(compare.getRhs(), m_ConstantInt(&bound)) ||
        compare.getLhs().getParentBlock() != assume->getBlock())
      return;
    Range range = satisfying(compare.getPredicate(), bound);
    auto [entry, isNew] = assumptions.try_emplace(compare.getLhs(), range);
    if (!isNew)
      entry->second = narrowed(entry->second, range);
  });
}

Range IntegerRanges::assumed(Value value, const Range &range) const {
  auto found = assumptions.find(value);
  return found == assumptions.end() ? range : narrowed(range, found->second);
}

void IntegerRanges::setToEntryState(Lattice *lattice) {
  Value value = lattice->getAnchor();
  unsigned width = Range::getStorageBitwidth(value.getType());
  if (width == 0)
    return IntegerRangeAnalysis::setToEntryState(lattice);
  Range range = Range::maxRange(width);
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (isa<func::FuncOp>(argument.getOwner()->getParentOp())) {
      if (tile::ParamAttr param = paramOf(value); param && param.getNonNegative())
        range = notNegative(width);
    }
  // Also of what is loaded, of which nothing else is known.
  propagateIfChanged(lattice, lattice->join(IntegerValueRange(assumed(value, range))));
}

/// Joins, and gives up a range that keeps growing: what counts upwards stays not negative if it was.
void IntegerRanges::update(Lattice *lattice, const IntegerValueRange &range) {
  Value value = lattice->getAnchor();
  bool wasKnown = !lattice->getValue().isUninitialized();
  ChangeResult changed = lattice->join(range);
  if (wasKnown && changed == ChangeResult::Change && ++growths[value] > MaxGrowths) {
    const Range &grown = lattice->getValue().getValue();
    unsigned width = grown.smin().getBitWidth();
    bool stays = isNotNegative(grown) && growths[value] <= 2 * MaxGrowths;
    changed |= lattice->join(IntegerValueRange(stays ? notNegative(width) : Range::maxRange(width)));
  }
  propagateIfChanged(lattice, changed);
}

std::optional<Range> IntegerRanges::infer(Operation *op, ArrayRef<const Lattice *> operands) const {
  SmallVector<Range, 2> ranges;
  for (const Lattice *operand : operands) {
    if (operand->getValue().isUninitialized())
      return std::nullopt;
    ranges.push_back(operand->getValue().getValue());
  }
  // An index is divided by sizes: `place // rows`, where it cannot be proven that some rows are left.
  if (trust == Trust::Signs && isa<arith::DivSIOp>(op) && isNotNegative(ranges[0]) &&
      ranges[1].smin().isNegative())
    return Range::fromSigned(APInt::getZero(ranges[0].smin().getBitWidth()), ranges[0].smax());
  if (std::optional<Range> result = rangeOfDivision(op, ranges))
    return result;
  if (auto absolute = dyn_cast<math::AbsIOp>(op)) {
    // The least number has no counterpart: it stays itself.
    bool known = trust == Trust::Signs || !ranges[0].smin().isMinSignedValue();
    return known ? std::optional(notNegative(ranges[0].smin().getBitWidth())) : std::nullopt;
  }
  return trust == Trust::Nothing ? std::nullopt : withoutOverflow(op, ranges);
}

LogicalResult IntegerRanges::visitOperation(Operation *op, ArrayRef<const Lattice *> operands,
                                            ArrayRef<Lattice *> results) {
  if (onlyRearranges(op)) {
    if (!operands[0]->getValue().isUninitialized())
      update(results[0], assumed(op->getResult(0), operands[0]->getValue().getValue()));
    return success();
  }
  if (op->getNumResults() == 1)
    if (std::optional<Range> known = infer(op, operands)) {
      update(results[0], assumed(op->getResult(0), *known));
      return success();
    }
  auto inferrable = dyn_cast<InferIntRangeInterface>(op);
  if (!inferrable) {
    setAllToEntryStates(results);
    return success();
  }
  SmallVector<IntegerValueRange> ranges =
      llvm::map_to_vector(operands, [](const Lattice *lattice) { return lattice->getValue(); });
  inferrable.inferResultRangesFromOptional(ranges, [&](Value value, const IntegerValueRange &range) {
    auto result = dyn_cast<OpResult>(value);
    if (!result || result.getOwner() != op)
      return;
    bool isKnown = !range.isUninitialized();
    update(results[result.getResultNumber()],
           isKnown ? IntegerValueRange(assumed(value, range.getValue())) : range);
  });
  return success();
}

/// Returns the range of the counter of `loop` from the ranges of its bounds; nothing where it may count down,
/// or by no constant.
static std::optional<Range> rangeOfCounter(const Range &lower, const Range &upper, const Range &step) {
  std::optional<APInt> by = step.getConstantValue(), from = lower.getConstantValue();
  const unsigned width = step.smin().getBitWidth();
  if (!by || !from || !by->isStrictlyPositive() || !upper.smax().sgt(*from))
    return std::nullopt;
  // In a bit more, since the distance may be all that there is.
  const APInt first = from->sext(width + 1), last = upper.smax().sext(width + 1) - 1,
              wide = by->sext(width + 1);
  return Range::fromSigned(*from, (last - (last - first).urem(wide)).trunc(width));
}

void IntegerRanges::visitNonControlFlowArguments(Operation *op, const RegionSuccessor &successor,
                                                 ArrayRef<Lattice *> arguments, unsigned first) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || loop.getUnsignedCmp() || successor.getSuccessor() != &loop.getRegion())
    return IntegerRangeAnalysis::visitNonControlFlowArguments(op, successor, arguments, first);
  SmallVector<Range, 3> bounds;
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}) {
    const IntegerValueRange &range =
        getLatticeElementFor(getProgramPointBefore(loop.getBody()), bound)->getValue();
    if (range.isUninitialized())
      return;
    bounds.push_back(range.getValue());
  }
  if (std::optional<Range> counter = rangeOfCounter(bounds[0], bounds[1], bounds[2]))
    return update(arguments.front(), assumed(loop.getInductionVar(), *counter));
  IntegerRangeAnalysis::visitNonControlFlowArguments(op, successor, arguments, first);
}

std::optional<Range> RangeFacts::of(Value value) {
  if (!solver) {
    solver = std::make_unique<DataFlowSolver>(DataFlowConfig().setInterprocedural(false));
    dataflow::loadBaselineAnalyses(*solver);
    solver->load<IntegerRanges>(kernel, Trust::Signs);
    isKnown = succeeded(solver->initializeAndRun(kernel));
  }
  const IntegerRanges::Lattice *lattice =
      isKnown ? solver->lookupState<IntegerRanges::Lattice>(value) : nullptr;
  if (!lattice || lattice->getValue().isUninitialized() ||
      !tile::elementTypeOf(value.getType()).isIntOrIndex())
    return std::nullopt;
  return lattice->getValue().getValue();
}

} // namespace tegula
