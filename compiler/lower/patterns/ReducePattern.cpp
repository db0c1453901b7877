// reduce: carries out what `planReduction` decides.
#include "compiler/analysis/plans/CombineRegion.h"
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/CombineCode.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/LaneShuffle.h"
#include "compiler/lower/code/ShuffleRegisters.h"
#include "compiler/lower/patterns/Patterns.h"

using namespace mlir;

namespace tegula {
namespace {

/// The code of one reduction. Values are kept by their number, then by operand.
class Reduction {
public:
  Reduction(Rewriter &rewriter, tile::ReduceOp op, LoweringState &state)
      : rewriter(rewriter), op(op), loc(op.getLoc()), state(state), plan(planOf(op, state.executorOf(op))),
        commutes(combineTraitsOf(op).commutes), lanes(rewriter, loc) {}

  /// Tells how it is done.
  void remark() const {
    remarkOnCombining(loc, "reduce", plan.inputs.size(), plan.folds, usesRedux() ? "redux" : "shuffles",
                      plan);
  }

  /// The registers of each result, from those of each operand.
  SmallVector<Registers> run(ArrayRef<ValueRange> operands) {
    SmallVector<Registers> tensors;
    for (ValueRange operand : operands)
      tensors.push_back(picked(operand, plan.inputs));
    values = transposed(tensors);
    for (const ReductionStep &step : plan.steps)
      carryOut(step);
    tensors = transposed(values);
    for (Registers &result : tensors)
      result = picked(result, plan.results);
    return tensors;
  }

private:
  bool usesRedux() const {
    return llvm::any_of(plan.steps,
                        [](const ReductionStep &step) { return step.kind == ReductionStep::WarpWide; });
  }

  void carryOut(const ReductionStep &step) {
    switch (step.kind) {
    case ReductionStep::Fold:
    case ReductionStep::Butterfly:
    case ReductionStep::Halve:
      return combinePairs(step);
    case ReductionStep::WarpWide:
      for (Registers &value : values)
        value.front() = warpWide(value.front());
      return;
    case ReductionStep::Broadcast: {
      SmallVector<Registers> tensors = transposed(values);
      for (Registers &tensor : tensors)
        tensor = shuffleRegisters(rewriter, loc, step.shuffle, tensor, state.threadsOf(op));
      values = transposed(tensors);
      return;
    }
    case ReductionStep::RoundTrip:
      values = transposed(state.exchange(rewriter, op, transposed(values), step.roundTrips, step.offsets));
      return;
    }
  }

  void combinePairs(const ReductionStep &step) {
    SmallVector<Registers> fresh;
    for (auto [pair, reversed] : llvm::zip(step.pairs, step.reversed)) {
      Registers a = values[pair[0]], b = values[pair[1]];
      if (step.kind == ReductionStep::Halve) {
        Value keepsFirst = state.threadsOf(op).noneOf(rewriter, step.pivot);
        Registers kept = selectEach(rewriter, loc, keepsFirst, a, b),
                  sent = selectEach(rewriter, loc, keepsFirst, b, a);
        a = kept, b = sent;
      }
      if (step.kind != ReductionStep::Fold)
        for (Value &part : b)
          part = lanes.butterfly(part, step.lanes);
      if (!commutes && step.order) {
        Value inOrder = isOdd(step.order, /*complement=*/!reversed);
        Registers first = selectEach(rewriter, loc, inOrder, a, b),
                  second = selectEach(rewriter, loc, inOrder, b, a);
        a = first, b = second;
      } else if (!commutes && reversed) {
        std::swap(a, b);
      }
      fresh.push_back(inlineCombine(rewriter, loc, op.getCombine(), a, b));
    }
    values = std::move(fresh);
  }

  /// Returns whether the thread's number has an odd number of `bits`, or an even one.
  Value isOdd(uint32_t bits, bool complement) {
    SmallVector<uint32_t> columns;
    for (unsigned bit = 0; bit < state.executorOf(op).threadBits(); ++bit)
      columns.push_back(bits >> bit & 1);
    Value parity = state.threadsOf(op).linear(rewriter, columns);
    return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, parity,
                                 constant(rewriter, loc, complement ? 0 : 1));
  }

  /// `redux.sync`.
  Value warpWide(Value value) {
    NVVM::ReduxKind kind = *reduxOf(op);
    Type type = value.getType(), word = rewriter.getI32Type();
    bool isNarrow = type.isInteger() && type != word;
    bool isSigned = kind == NVVM::ReduxKind::MIN || kind == NVVM::ReduxKind::MAX;
    if (isNarrow)
      value = isSigned ? Value(arith::ExtSIOp::create(rewriter, loc, word, value))
                       : Value(arith::ExtUIOp::create(rewriter, loc, word, value));
    Value everyLane = constant(rewriter, loc, ~0u);
    value = NVVM::ReduxOp::create(rewriter, loc, value.getType(), value, kind, everyLane);
    return isNarrow ? Value(arith::TruncIOp::create(rewriter, loc, type, value)) : value;
  }

  Rewriter &rewriter;
  tile::ReduceOp op;
  Location loc;
  LoweringState &state;
  ReductionPlan plan;
  bool commutes;
  LaneShuffle lanes;
  SmallVector<Registers> values;
};

SmallVector<Registers> lowerReduce(tile::ReduceOp op, Adaptor<tile::ReduceOp> adaptor, Rewriter &rewriter,
                                   LoweringState &state) {
  Reduction reduction(rewriter, op, state);
  reduction.remark();
  return reduction.run(adaptor.getOperands());
}

} // namespace

void populateReducePatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerReduce>(patterns, state);
}

} // namespace tegula
