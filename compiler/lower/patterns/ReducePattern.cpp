// reduce: carries out what `planReduction` decides.
#include "compiler/analysis/plans/CombineRegion.h"
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/lower/code/CombineCode.h"
#include "compiler/lower/code/LaneShuffle.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/lower/code/ShuffleRegisters.h"
#include "compiler/lower/patterns/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

using Registers = SmallVector<Value>;

/// The code of one reduction. Values are kept by their number, then by operand.
class Reduction {
public:
  Reduction(ConversionPatternRewriter &rewriter, tile::ReduceOp op, LoweringState &state)
      : rewriter(rewriter), op(op), loc(op.getLoc()), state(state), plan(planOf(op, state.executorOf(op))),
        commutes(combineTraitsOf(op).commutes), lanes(rewriter, loc) {}

  /// Tells how it is done.
  void remark() const {
    remark::RemarkOpts options = remark::RemarkOpts::name("reduce").category("convert-tile-to-llvm");
    SmallVector<std::string> parts{llvm::formatv("{0} registers", plan.inputs.size()).str()};
    if (plan.shuffles)
      parts.push_back(llvm::formatv("{0} {1}", plan.shuffles, usesRedux() ? "redux" : "shuffles"));
    if (plan.warps > 1)
      parts.push_back(llvm::formatv("{0} warps through {1} bytes of shared memory", plan.warps, plan.bytes));
    remark::passed(loc, options) << remark::add("{0}", llvm::join(parts, ", "))
                                 << remark::metric("Registers", plan.inputs.size())
                                 << remark::metric("Shuffles", plan.shuffles)
                                 << remark::metric("Combinations", plan.folds)
                                 << remark::metric("Warps", plan.warps)
                                 << remark::metric("SharedBytes", plan.bytes);
  }

  /// The registers of each result, from those of each operand.
  SmallVector<Registers> run(ArrayRef<ValueRange> operands) {
    for (uint32_t reg : plan.inputs) {
      Registers &value = values.emplace_back();
      for (ValueRange operand : operands)
        value.push_back(operand[reg]);
    }
    for (const ReductionStep &step : plan.steps)
      carryOut(step);
    SmallVector<Registers> results(operands.size());
    for (uint32_t value : plan.results)
      for (auto [result, part] : llvm::zip(results, values[value]))
        result.push_back(part);
    return results;
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
    case ReductionStep::Broadcast:
      return replace([&](const Registers &source, size_t) {
        return shuffleRegisters(rewriter, loc, step.shuffle, source, state.threadsOf(op));
      });
    case ReductionStep::RoundTrip:
      return roundTrip(step);
    }
  }

  /// All values made anew, those of one operand at a time.
  void replace(llvm::function_ref<Registers(Registers, size_t)> make) {
    SmallVector<Registers> fresh;
    for (size_t operand = 0; operand < op.getNumOperands(); ++operand) {
      Registers made = make(ofOperand(operand), operand);
      fresh.resize(made.size());
      for (auto [value, part] : llvm::zip(fresh, made))
        value.push_back(part);
    }
    values = std::move(fresh);
  }

  Registers ofOperand(size_t operand) const {
    Registers result;
    for (const Registers &value : values)
      result.push_back(value[operand]);
    return result;
  }

  void combinePairs(const ReductionStep &step) {
    SmallVector<Registers> fresh;
    for (auto [pair, reversed] : llvm::zip(step.pairs, step.reversed)) {
      Registers a = values[pair[0]], b = values[pair[1]];
      if (step.kind == ReductionStep::Halve) {
        Value keepsFirst = state.threadsOf(op).noneOf(rewriter, step.pivot);
        Registers kept = select(keepsFirst, a, b), sent = select(keepsFirst, b, a);
        a = kept, b = sent;
      }
      if (step.kind != ReductionStep::Fold)
        for (Value &part : b)
          part = lanes.butterfly(part, step.lanes);
      if (!commutes && step.order) {
        Value inOrder = isOdd(step.order, /*complement=*/!reversed);
        Registers first = select(inOrder, a, b), second = select(inOrder, b, a);
        a = first, b = second;
      } else if (!commutes && reversed) {
        std::swap(a, b);
      }
      fresh.push_back(inlineCombine(rewriter, loc, op.getCombine(), a, b));
    }
    values = std::move(fresh);
  }

  Registers select(Value condition, ArrayRef<Value> yes, ArrayRef<Value> no) {
    Registers result;
    for (auto [a, b] : llvm::zip_equal(yes, no))
      result.push_back(a == b ? a : Value(arith::SelectOp::create(rewriter, loc, condition, a, b)));
    return result;
  }

  /// Returns whether the thread's number has an odd number of `bits`, or an even one.
  Value isOdd(uint32_t bits, bool complement) {
    SmallVector<uint32_t> columns;
    for (unsigned bit = 0; bit < state.executorOf(op).threadBits(); ++bit)
      columns.push_back(bits >> bit & 1);
    Value parity = state.threadsOf(op).linear(rewriter, columns);
    Value one = arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(complement ? 0 : 1));
    return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, parity, one);
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
    Value everyLane = arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(-1));
    value = NVVM::ReduxOp::create(rewriter, loc, value.getType(), value, kind, everyLane);
    return isNarrow ? Value(arith::TruncIOp::create(rewriter, loc, type, value)) : value;
  }

  void roundTrip(const ReductionStep &step) {
    Value buffer = state.scratchOf(rewriter, op);
    SmallVector<Value> buffers;
    for (auto [operand, offset] : llvm::enumerate(step.offsets)) {
      buffers.push_back(addBytes(rewriter, loc, buffer, offset));
      storeToShared(rewriter, loc, step.roundTrips[operand].store, buffers.back(), ofOperand(operand),
                    state.threadsOf(op));
    }
    emitBarrier(rewriter, loc, state.executorOf(op));
    replace([&](Registers source, size_t operand) {
      return loadFromShared(rewriter, loc, step.roundTrips[operand].load, buffers[operand],
                            source.front().getType(), state.threadsOf(op));
    });
  }

  ConversionPatternRewriter &rewriter;
  tile::ReduceOp op;
  Location loc;
  LoweringState &state;
  ReductionPlan plan;
  bool commutes;
  LaneShuffle lanes;
  SmallVector<Registers> values;
};

struct ReducePattern : StatefulPattern<tile::ReduceOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tile::ReduceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Reduction reduction(rewriter, op, state);
    reduction.remark();
    rewriter.replaceOpWithMultiple(op, reduction.run(adaptor.getOperands()));
    return success();
  }
};

} // namespace

void populateReducePatterns(const TypeConverter &types, RewritePatternSet &patterns, LoweringState &state) {
  patterns.add<ReducePattern>(types, patterns.getContext(), state);
}

} // namespace tegula
