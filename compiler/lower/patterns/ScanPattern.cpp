// scan: carries out what `planScan` decides.
#include "compiler/analysis/plans/CombineRegion.h"
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/CombineCode.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/LaneShuffle.h"
#include "compiler/lower/patterns/Patterns.h"
#include "compiler/plan/ScanRounds.h"

using namespace mlir;

namespace tegula {
namespace {

/// Ops in copies of the function from which on a loop with one copy is better. The log-add-exp of 4000
/// elements on 8 warps is 48 copies, 6,000 instructions, which took 160 ms to compile as such; sums and
/// maxima never come near.
constexpr size_t ManyOps = 512;

/// Registers that a loop passes on from round to round for each op that it is there for, at most: a move
/// each.
constexpr size_t OpsPerMove = 4;

size_t opsOf(Region &combine) {
  size_t count = 0;
  combine.walk([&](Operation *op) { count += !op->hasTrait<OpTrait::IsTerminator>(); });
  return count;
}

/// 32-bit registers that a value of each operand takes.
size_t wordsOf(tile::ScanOp op) {
  size_t words = 0;
  for (Type type : op.getOperandTypes())
    words += (elementBitsOf(loweredElementType(type)) + 31) / 32;
  return words;
}

/// The code of one scan. Values are kept by their number, then by operand.
class Scan {
public:
  Scan(Rewriter &rewriter, tile::ScanOp op, LoweringState &state)
      : rewriter(rewriter), op(op), loc(op.getLoc()), state(state), plan(planOf(op, state.executorOf(op))),
        commutes(isSymmetric(op.getCombine().front())), hasEffects(!isMemoryEffectFree(op)),
        ops(opsOf(op.getCombine())), words(wordsOf(op)), lanes(rewriter, loc) {}

  /// Tells how it is done.
  void remark() const {
    remarkOnCombining(loc, "scan", plan.results.size(), plan.combinations, "shuffles", plan);
  }

  /// The registers of each result, from those of each operand.
  SmallVector<Registers> run(ArrayRef<ValueRange> operands) {
    values = transposed(llvm::to_vector_of<Registers>(operands));
    for (const ScanStep &step : plan.steps) {
      if (step.kind == ScanStep::Combine)
        combinePairs(step);
      else if (step.kind == ScanStep::Lanes)
        scanLanes(step);
      else
        scanWarps(step);
    }
    SmallVector<Registers> results = transposed(values);
    for (Registers &result : results)
      result = picked(result, plan.results);
    return results;
  }

private:
  Registers combine(ValueRange first, ValueRange second) {
    return inlineCombine(rewriter, loc, op.getCombine(), first, second);
  }

  /// The values that a thread for which `holds` is true takes in place of a combination.
  struct Instead {
    Value holds;
    Registers value;
  };

  /// The value of the first of `cases` that holds for the thread, else the combination. A function with
  /// effects is carried out in the latter case only: what the other threads would combine are not neighbours.
  Registers combineUnless(ArrayRef<Instead> cases, ValueRange first, ValueRange second) {
    if (cases.empty())
      return combine(first, second);
    const Instead &instead = cases.front();
    auto otherwise = [&] { return combineUnless(cases.drop_front(), first, second); };
    if (!hasEffects)
      return select(instead.holds, instead.value, otherwise());
    auto branch = scf::IfOp::create(rewriter, loc, TypeRange(first), instead.holds, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(rewriter, loc, instead.value);
    rewriter.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc, otherwise());
    return branch.getResults();
  }

  Registers select(Value condition, ValueRange yes, ValueRange no) {
    return selectEach(rewriter, loc, condition, yes, no);
  }

  Value constant(uint32_t value) { return tegula::constant(rewriter, loc, value); }

  Value equals(Value a, Value b) {
    return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, a, b);
  }

  /// Returns whether the thread is the first among those that differ in `bits`.
  Value isFirst(uint32_t bits) { return isFirst(constant(bits)); }
  Value isFirst(Value mask) {
    Value own = arith::AndIOp::create(rewriter, loc, state.threadsOf(op).thread(rewriter), mask);
    return equals(own, op.getReverse() ? mask : constant(0));
  }

  Registers combinePair(const ScanStep::Pair &pair, const Registers &first, const Registers &second) {
    SmallVector<Instead, 2> cases;
    if (pair.firstFrom)
      cases.push_back({isFirst(pair.firstFrom), second});
    if (pair.secondFrom)
      cases.push_back({isFirst(pair.secondFrom), first});
    return combineUnless(cases, first, second);
  }

  void combinePairs(const ScanStep &step) {
    const auto made = uint32_t(values.size());
    values.resize(made + step.pairs.size());
    for (const ScanRounds &rounds : roundsOf(step, made)) {
      uint32_t looped = carryOutInLoop(step, rounds, made);
      for (uint32_t chain = 0; chain < rounds.chains; ++chain)
        for (uint32_t round = looped; round < rounds.rounds; ++round) {
          uint32_t number = rounds.begin + chain * rounds.rounds + round;
          const ScanStep::Pair &pair = step.pairs[number];
          values[made + number] = combinePair(pair, values[pair.first], values[pair.second]);
        }
    }
  }

  /// Returns the rounds of one iteration of a loop: registers cannot be numbered at run time, so each
  /// iteration takes its second values from the front of a queue and hands the rest on, with what it made at
  /// the end. None where copies are few, or the moves would cost more than they save.
  uint32_t roundsPerIteration(const ScanRounds &rounds) const {
    if (size_t(rounds.chains) * rounds.rounds * ops < ManyOps)
      return 0;
    size_t each = (OpsPerMove * words * rounds.rounds + ops - 1) / ops;
    return 2 * each > rounds.rounds ? 0 : uint32_t(each);
  }

  /// The first rounds, as many as are told, in a loop.
  uint32_t carryOutInLoop(const ScanStep &step, const ScanRounds &rounds, uint32_t made) {
    const uint32_t each = roundsPerIteration(rounds);
    if (each == 0)
      return 0;
    const uint32_t looped = rounds.rounds / each * each;
    auto number = [&](uint32_t chain, uint32_t round) {
      return rounds.begin + chain * rounds.rounds + round;
    };
    SmallVector<Registers> heads, queue; // by chain; by round, then by chain
    for (uint32_t chain = 0; chain < rounds.chains; ++chain)
      heads.push_back(values[step.pairs[number(chain, 0)].first]);
    for (uint32_t round = 0; round < looped; ++round)
      for (uint32_t chain = 0; chain < rounds.chains; ++chain)
        queue.push_back(values[step.pairs[number(chain, round)].second]);
    SmallVector<Registers> carried = queue;
    if (rounds.carries)
      carried.append(heads);
    SmallVector<Registers> results = loop(0, looped / each, carried, [&](Value, SmallVector<Registers> now) {
      if (rounds.carries)
        heads.assign(now.end() - rounds.chains, now.end());
      SmallVector<Registers> next(now.begin() + each * rounds.chains, now.begin() + looped * rounds.chains);
      for (uint32_t i = 0; i < each * rounds.chains; ++i) {
        uint32_t chain = i % rounds.chains;
        next.push_back(combinePair(step.pairs[number(chain, 0)], heads[chain], now[i]));
        if (rounds.carries)
          heads[chain] = next.back();
      }
      if (rounds.carries)
        next.append(heads);
      return next;
    });
    for (uint32_t round = 0; round < looped; ++round)
      for (uint32_t chain = 0; chain < rounds.chains; ++chain)
        values[made + number(chain, round)] = results[round * rounds.chains + chain];
    return looped;
  }

  using Body = llvm::function_ref<SmallVector<Registers>(Value, SmallVector<Registers>)>;

  /// A loop from `begin` to `end`, whose `body` makes of the counter and of what it is handed what it hands
  /// on.
  SmallVector<Registers> loop(uint32_t begin, uint32_t end, ArrayRef<Registers> carried, Body body) {
    Registers flat;
    for (const Registers &parts : carried)
      flat.append(parts);
    auto made = scf::ForOp::create(rewriter, loc, constant(begin), constant(end), constant(1), flat);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(made.getBody());
      Registers next;
      for (const Registers &parts : body(made.getInductionVar(), byOperand(made.getRegionIterArgs())))
        next.append(parts);
      scf::YieldOp::create(rewriter, loc, next);
    }
    return byOperand(made.getResults());
  }

  SmallVector<Registers> byOperand(ValueRange flat) {
    SmallVector<Registers> result;
    for (size_t at = 0; at < flat.size(); at += op.getNumOperands())
      result.emplace_back(flat.slice(at, op.getNumOperands()));
    return result;
  }

  struct Totals {
    Registers prefix, total;
  };

  /// Puts together what is known of the lanes that differ in the bits below `bit` and what the lane across it
  /// knows. Where that is in the first half, it comes before what the lane has before itself.
  Totals addLanes(const Totals &known, Value bit, llvm::function_ref<Value()> firstBelow) {
    Registers other = known.total;
    for (Value &part : other)
      part = lanes.butterfly(part, bit);
    Value isLower = isFirst(bit);
    Totals result;
    if (firstBelow)
      result.prefix = combineUnless({{isLower, known.prefix}, {firstBelow(), other}}, other, known.prefix);
    else
      result.prefix = other;
    result.total = commutes
                       ? combine(known.total, other)
                       : combine(select(isLower, known.total, other), select(isLower, other, known.total));
    return result;
  }

  /// Scans lanes: each bit gives the total of the half that the lane is not in.
  void scanLanes(const ScanStep &step) {
    SmallVector<Totals> all;
    for (uint32_t input : step.inputs) {
      Totals &totals = all.emplace_back(addLanes({{}, values[input]}, constant(step.bits.front()), {}));
      if (isLoopOfLanes(step))
        continue;
      uint32_t done = step.bits.front();
      for (uint32_t bit : ArrayRef(step.bits).drop_front()) {
        totals = addLanes(totals, constant(bit), [&] { return isFirst(done); });
        done |= bit;
      }
    }
    if (isLoopOfLanes(step))
      loopOverLanes(step, all);
    for (const Totals &totals : all)
      values.append({totals.prefix, totals.total});
  }

  /// Returns whether the bits are in a row, and copies for each of them too many.
  bool isLoopOfLanes(const ScanStep &step) const {
    for (size_t i = 1; i < step.bits.size(); ++i)
      if (step.bits[i] != step.bits[0] << i)
        return false;
    return step.bits.size() > 2 && step.inputs.size() * (2 * step.bits.size() - 1) * ops >= ManyOps;
  }

  /// Scans the bits after the first by a loop.
  void loopOverLanes(const ScanStep &step, SmallVector<Totals> &all) {
    SmallVector<Registers> carried;
    for (const Totals &totals : all)
      carried.append({totals.prefix, totals.total});
    Value lowest = constant(step.bits.front());
    carried = loop(1, uint32_t(step.bits.size()), carried, [&](Value index, SmallVector<Registers> now) {
      Value bit = arith::ShLIOp::create(rewriter, loc, lowest, index);
      Value below = arith::SubIOp::create(rewriter, loc, bit, lowest);
      SmallVector<Registers> next;
      for (size_t i = 0; i < now.size(); i += 2) {
        Totals totals = addLanes({now[i], now[i + 1]}, bit, [&] { return isFirst(below); });
        next.append({totals.prefix, totals.total});
      }
      return next;
    });
    for (auto [i, totals] : llvm::enumerate(all))
      totals = {carried[2 * i], carried[2 * i + 1]};
  }

  void scanWarps(const ScanStep &step) {
    const uint32_t warps = uint32_t(1) << step.bits.size();
    SmallVector<Registers> inputs;
    for (uint32_t input : step.inputs)
      inputs.push_back(values[input]);
    const SmallVector<Registers> loaded =
        transposed(state.exchange(rewriter, op, transposed(inputs), step.roundTrips, step.offsets));
    Value own = state.threadsOf(op).linear(rewriter, step.warpOf);
    for (size_t input = 0; input < step.inputs.size(); ++input) {
      SmallVector<Registers> totals; // of the warps, the first first
      for (uint32_t warp = 0; warp < warps; ++warp)
        totals.push_back(loaded[input * warps + (op.getReverse() ? warps - 1 - warp : warp)]);
      Value place = own;
      if (op.getReverse())
        place = arith::SubIOp::create(rewriter, loc, constant(warps - 1), own);
      Totals all = addWarps(totals, place);
      values.append({all.prefix, all.total});
    }
  }

  /// Returns what comes before the warp that is at `place` among those whose totals these are, and the total
  /// of all.
  Totals addWarps(ArrayRef<Registers> totals, Value place) {
    Totals all{totals.front(), totals.front()};
    if (ops * totals.size() < ManyOps || OpsPerMove * words * totals.size() > ops) {
      for (uint32_t warp = 1; warp < totals.size(); ++warp) {
        if (warp > 1)
          all.prefix = select(equals(place, constant(warp)), all.total, all.prefix);
        all.total = combine(all.total, totals[warp]);
      }
      return all;
    }
    SmallVector<Registers> carried(totals.drop_front());
    carried.append({all.prefix, all.total});
    carried = loop(1, uint32_t(totals.size()), carried, [&](Value warp, SmallVector<Registers> now) {
      Registers total = now.pop_back_val(), prefix = now.pop_back_val();
      prefix = select(equals(place, warp), total, prefix);
      total = combine(total, now.front());
      SmallVector<Registers> next(llvm::drop_begin(now));
      next.append({now.front(), prefix, total});
      return next;
    });
    return {carried[carried.size() - 2], carried.back()};
  }

  Rewriter &rewriter;
  tile::ScanOp op;
  Location loc;
  LoweringState &state;
  ScanPlan plan;
  bool commutes, hasEffects;
  size_t ops, words; ///< of the function, and of a value
  LaneShuffle lanes;
  SmallVector<Registers> values;
};

SmallVector<Registers> lowerScan(tile::ScanOp op, Adaptor<tile::ScanOp> adaptor, Rewriter &rewriter,
                                 LoweringState &state) {
  Scan scan(rewriter, op, state);
  scan.remark();
  return scan.run(adaptor.getOperands());
}

} // namespace

void populateScanPatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerScan>(patterns, state);
}

} // namespace tegula
