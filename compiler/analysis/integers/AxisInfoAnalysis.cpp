#include "compiler/analysis/integers/AxisInfoAnalysis.h"
#include "compiler/analysis/integers/KernelParam.h"

#include "dialect/tile/Tile.h"

#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"

using namespace mlir;

namespace tegula {

namespace {

using AxisLattice = dataflow::Lattice<AxisInfo>;

class Analysis : public dataflow::SparseForwardDataFlowAnalysis<AxisLattice> {
public:
  Analysis(DataFlowSolver &solver, Trust trust, Hints hints)
      : SparseForwardDataFlowAnalysis(solver), trust(trust), hints(hints) {}

  LogicalResult visitOperation(Operation *op, ArrayRef<const AxisLattice *> operands,
                               ArrayRef<AxisLattice *> results) override {
    if (op->getNumResults() != 1 || op->getNumRegions() != 0) {
      setAllToEntryStates(results);
      return success();
    }
    SmallVector<const AxisInfo *, 4> facts;
    for (const AxisLattice *operand : operands) {
      if (!operand->getValue().isComputed())
        return success(); // not reached yet: this op is visited again
      facts.push_back(&operand->getValue());
    }
    ProgramPoint *point = getProgramPointAfter(op);
    auto isNotNegative = [&](Value value) {
      const IntegerValueRange &range = getOrCreateFor<IntegerRanges::Lattice>(point, value)->getValue();
      return range.isUninitialized() || range.getValue().smin().isNonNegative();
    };
    auto factsOf = [&](Value value) -> const AxisInfo & {
      return getLatticeElementFor(point, value)->getValue();
    };
    propagateIfChanged(results[0],
                       results[0]->join(transferAxisInfo(op, facts, {isNotNegative, factsOf, trust, hints})));
    return success();
  }

  /// The induction variable of `scf.for`: lower bound plus any number of steps.
  void visitNonControlFlowArguments(Operation *op, const RegionSuccessor &successor,
                                    ArrayRef<AxisLattice *> arguments, unsigned firstIndex) override {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || arguments.empty() || arguments[0]->getAnchor() != loop.getInductionVar())
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(op, successor, arguments,
                                                                         firstIndex);
    ProgramPoint *point = getProgramPointBefore(loop.getBody());
    const AxisInfo &lower = getLatticeElementFor(point, loop.getLowerBound())->getValue();
    const AxisInfo &step = getLatticeElementFor(point, loop.getStep())->getValue();
    if (!lower.isComputed() || !step.isComputed())
      return;
    AxisInfo info = AxisInfo::unknown(loop.getInductionVar().getType());
    info[0].divisibility = std::min(lower.divisibilityOfEach(), step.divisibilityOfEach());
    propagateIfChanged(arguments[0], arguments[0]->join(info));
  }

  void setToEntryState(AxisLattice *lattice) override {
    Value value = lattice->getAnchor();
    AxisInfo info = AxisInfo::unknown(value.getType());
    if (tile::ParamAttr param = paramOf(value))
      info[0].divisibility = param.getDivisibility();
    propagateIfChanged(lattice, lattice->join(info));
  }

private:
  Trust trust;
  Hints hints;
};

} // namespace

AxisInfoAnalysis::AxisInfoAnalysis(Operation *top, Trust trust, Hints hints) {
  // Kernels are entered from outside and call nothing: helpers were inlined by the front end.
  solver = std::make_unique<DataFlowSolver>(DataFlowConfig().setInterprocedural(false));
  dataflow::loadBaselineAnalyses(*solver);
  solver->load<IntegerRanges>(top, trust);
  solver->load<Analysis>(trust, hints);
  if (failed(solver->initializeAndRun(top)))
    solver.reset();
}

AxisInfo AxisInfoAnalysis::of(Value value) const {
  const AxisLattice *lattice = solver ? solver->lookupState<AxisLattice>(value) : nullptr;
  if (!lattice || !lattice->getValue().isComputed())
    return AxisInfo::unknown(value.getType());
  return lattice->getValue();
}

bool AxisInfoAnalysis::isNotNegative(Value value) const {
  const IntegerRanges::Lattice *lattice =
      solver ? solver->lookupState<IntegerRanges::Lattice>(value) : nullptr;
  return tile::elementTypeOf(value.getType()).isIntOrIndex() && lattice &&
         !lattice->getValue().isUninitialized() && lattice->getValue().getValue().smin().isNonNegative();
}

} // namespace tegula
