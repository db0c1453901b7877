// scan: carries out what `planScan` decides.
#include "compiler/analysis/CombineRegion.h"
#include "compiler/analysis/OpPlans.h"
#include "compiler/lower/code/CombineCode.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/ExchangeCode.h"
#include "compiler/lower/code/LaneExchange.h"
#include "compiler/lower/patterns/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

using Registers = SmallVector<Value>;

/// The code of one scan. Values are kept by their number, then by operand.
class Scan {
public:
  Scan(ConversionPatternRewriter &rewriter, tile::ScanOp op, LoweringState &state)
      : rewriter(rewriter), op(op), loc(op.getLoc()), state(state), plan(planOf(op, state.executorOf(op))),
        commutes(isSymmetric(op.getCombine().front())), lanes(rewriter, loc) {}

  /// Tells how it is done.
  void remark() const {
    remark::RemarkOpts options = remark::RemarkOpts::name("scan").category("convert-tile-to-llvm");
    SmallVector<std::string> parts{llvm::formatv("{0} registers", plan.results.size()).str()};
    if (plan.shuffles)
      parts.push_back(llvm::formatv("{0} shuffles", plan.shuffles));
    if (plan.warps > 1)
      parts.push_back(llvm::formatv("{0} warps through {1} bytes of shared memory", plan.warps, plan.bytes));
    remark::passed(loc, options) << remark::add("{0}", llvm::join(parts, ", "))
                                 << remark::metric("Registers", plan.results.size())
                                 << remark::metric("Shuffles", plan.shuffles)
                                 << remark::metric("Combinations", plan.combinations)
                                 << remark::metric("Warps", plan.warps)
                                 << remark::metric("SharedBytes", plan.bytes);
  }

  /// The registers of each result, from those of each operand.
  SmallVector<Registers> run(ArrayRef<ValueRange> operands) {
    values.resize(operands.front().size());
    for (ValueRange operand : operands)
      for (auto [value, part] : llvm::zip_equal(values, operand))
        value.push_back(part);
    for (const ScanStep &step : plan.steps) {
      if (step.kind == ScanStep::Combine)
        combinePairs(step);
      else if (step.kind == ScanStep::Lanes)
        scanLanes(step);
      else
        scanWarps(step);
    }
    SmallVector<Registers> results(operands.size());
    for (uint32_t value : plan.results)
      for (auto [result, part] : llvm::zip_equal(results, values[value]))
        result.push_back(part);
    return results;
  }

private:
  Registers combine(ValueRange first, ValueRange second) {
    return inlineCombine(rewriter, loc, op.getCombine(), first, second);
  }

  Registers select(Value condition, ArrayRef<Value> yes, ArrayRef<Value> no) {
    Registers result;
    for (auto [a, b] : llvm::zip_equal(yes, no))
      result.push_back(a == b ? a : Value(arith::SelectOp::create(rewriter, loc, condition, a, b)));
    return result;
  }

  Value constant(uint32_t value) { return tegula::constant(rewriter, loc, value); }

  Value equals(Value a, Value b) {
    return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, a, b);
  }

  /// Whether the thread is the first among those that differ in `bits`.
  Value isFirst(uint32_t bits) {
    Value mask = constant(bits);
    Value own = arith::AndIOp::create(rewriter, loc, state.threadsOf(op).thread(rewriter), mask);
    return equals(own, op.getReverse() ? mask : constant(0));
  }

  void combinePairs(const ScanStep &step) {
    for (const ScanStep::Pair &pair : step.pairs) {
      const Registers first = values[pair.first], second = values[pair.second];
      Registers result = combine(first, second);
      if (pair.secondFrom)
        result = select(isFirst(pair.secondFrom), first, result);
      if (pair.firstFrom)
        result = select(isFirst(pair.firstFrom), second, result);
      values.push_back(result);
    }
  }

  /// Each bit brings the total of the half that the lane is not in. Where that is the first half, it comes
  /// before what the lane has before itself.
  void scanLanes(const ScanStep &step) {
    for (uint32_t input : step.inputs) {
      Registers total = values[input], prefix = total;
      uint32_t done = 0;
      for (uint32_t bit : step.bits) {
        Registers other = total;
        for (Value &part : other)
          part = lanes.butterfly(part, bit);
        Value isLower = isFirst(bit);
        if (!done)
          prefix = other;
        else
          prefix = select(isLower, prefix, select(isFirst(done), other, combine(other, prefix)));
        total = commutes ? combine(total, other)
                         : combine(select(isLower, total, other), select(isLower, other, total));
        done |= bit;
      }
      values.push_back(prefix);
      values.push_back(total);
    }
  }

  void scanWarps(const ScanStep &step) {
    const uint32_t warps = uint32_t(1) << step.bits.size();
    SmallVector<Registers> loaded; // by operand, then as the exchange numbers them
    Value scratch = state.scratchOf(rewriter, op);
    SmallVector<Value> buffers;
    for (auto [operand, offset] : llvm::enumerate(step.offsets)) {
      Registers totals;
      for (uint32_t input : step.inputs)
        totals.push_back(values[input][operand]);
      buffers.push_back(addBytes(rewriter, loc, scratch, offset));
      storeToShared(rewriter, loc, step.exchanges[operand].store, buffers.back(), totals,
                    state.threadsOf(op));
    }
    emitBarrier(rewriter, loc, state.executorOf(op));
    for (auto [operand, buffer] : llvm::enumerate(buffers))
      loaded.push_back(loadFromShared(rewriter, loc, step.exchanges[operand].load, buffer,
                                      values.front()[operand].getType(), state.threadsOf(op)));
    Value own = state.threadsOf(op).linear(rewriter, step.warpOf);
    for (size_t input = 0; input < step.inputs.size(); ++input) {
      auto totalOf = [&](uint32_t warp) {
        Registers parts;
        for (const Registers &operand : loaded)
          parts.push_back(operand[input * warps + (op.getReverse() ? warps - 1 - warp : warp)]);
        return parts;
      };
      Registers total = totalOf(0), prefix = total;
      for (uint32_t warp = 1; warp < warps; ++warp) {
        if (warp > 1)
          prefix = select(equals(own, constant(op.getReverse() ? warps - 1 - warp : warp)), total, prefix);
        total = combine(total, totalOf(warp));
      }
      values.push_back(prefix);
      values.push_back(total);
    }
  }

  ConversionPatternRewriter &rewriter;
  tile::ScanOp op;
  Location loc;
  LoweringState &state;
  ScanPlan plan;
  bool commutes;
  LaneExchange lanes;
  SmallVector<Registers> values;
};

struct ScanPattern : StatefulPattern<tile::ScanOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tile::ScanOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Scan scan(rewriter, op, state);
    scan.remark();
    rewriter.replaceOpWithMultiple(op, scan.run(adaptor.getOperands()));
    return success();
  }
};

} // namespace

void populateScanPatterns(const TypeConverter &types, RewritePatternSet &patterns, LoweringState &state) {
  patterns.add<ScanPattern>(types, patterns.getContext(), state);
}

} // namespace tegula
