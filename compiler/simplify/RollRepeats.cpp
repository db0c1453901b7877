// The pass `roll-repeats`: Passes.td says what it does and why it is where it is.
#include "compiler/analysis/plans/Executor.h"
#include "compiler/simplify/Passes.h"
#include "compiler/simplify/RepeatMatch.h"
#include "compiler/target/Target.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tegula;

namespace tegula {
#define GEN_PASS_DEF_ROLLREPEATSPASS
#include "compiler/simplify/Passes.h.inc"
} // namespace tegula

namespace {

/// The least number of iterations: a loop replaces all but the last of them.
constexpr size_t LeastIterations = 4;
/// The number of values of which a thread would compute less, by all loops of a kernel and by each. Below,
/// unrolled code is quickly compiled, and its author may have had a reason; from here on it no longer fits
/// the instruction cache.
constexpr uint64_t LeastSaved = 4096, LeastSavedByLoop = 128;
/// The depth to which loops can be nested.
constexpr unsigned MostLevels = 4;
/// The places where the next iteration may begin: within so many ops, and so many ops like the first further
/// on.
constexpr size_t MostOps = 4096, MostCandidates = 64;

/// Iterations that one loop can replace.
struct Repeat {
  size_t begin, length; ///< the first op in its block, and ops of an iteration
  RepeatMatch match;
  uint64_t saved = 0; ///< values of a thread
};

/// The values that a loop hands to its next iteration.
using Carried = llvm::MapVector<std::pair<unsigned, Value>, unsigned>;

/// Finds repeats among the ops of a block.
class RepeatFinder {
public:
  RepeatFinder(Block &block, unsigned threads);

  SmallVector<Repeat, 0> find();

private:
  bool isSame(size_t a, size_t b, size_t length) const {
    return hashes[a + length] - hashes[a] * powers[length] == hashes[b + length] - hashes[b] * powers[length];
  }
  std::optional<Repeat> at(size_t begin);
  std::optional<Repeat> at(size_t begin, size_t length);
  bool isLeftByLast(const Repeat &repeat) const;
  uint64_t valuesOf(Operation *op) const;

  unsigned threads;
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, size_t> places;
  SmallVector<uint64_t> fingerprints, hashes{0}, powers{1}; ///< of ops, of those before one, of the base
  SmallVector<size_t> next;                                 ///< the next op of the same fingerprint
};

/// Returns whether an op only computes: a loop changes neither when memory is touched nor what the matrix
/// units get.
bool isOnlyComputing(Operation *op) {
  return isMemoryEffectFree(op) &&
         !op->walk([](tile::DotOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

RepeatFinder::RepeatFinder(Block &block, unsigned threads) : threads(threads) {
  constexpr uint64_t base = 0x9e3779b97f4a7c15;
  for (Operation &op : block.without_terminator()) {
    places[&op] = ops.size();
    ops.push_back(&op);
    // An op that must stay is like nothing else.
    fingerprints.push_back(isOnlyComputing(&op) ? uint64_t(size_t(fingerprintOf(&op)))
                                                : uint64_t(reinterpret_cast<uintptr_t>(&op)));
    hashes.push_back(hashes.back() * base + fingerprints.back());
    powers.push_back(powers.back() * base);
  }
  next.resize(ops.size());
  llvm::DenseMap<uint64_t, size_t> last;
  for (size_t i = ops.size(); i-- > 0;) {
    auto [found, isNew] = last.try_emplace(fingerprints[i] >> 1, i);
    next[i] = isNew ? ops.size() : std::exchange(found->second, i);
  }
}

SmallVector<Repeat, 0> RepeatFinder::find() {
  SmallVector<Repeat, 0> repeats;
  for (size_t i = 0; i < ops.size();) {
    std::optional<Repeat> repeat = at(i);
    if (!repeat) {
      ++i;
      continue;
    }
    i = repeat->begin + repeat->length * repeat->match.iterations.size();
    repeats.push_back(std::move(*repeat));
  }
  return repeats;
}

std::optional<Repeat> RepeatFinder::at(size_t begin) {
  size_t candidate = next[begin];
  for (size_t tries = 0; tries < MostCandidates && candidate < ops.size(); ++tries) {
    const size_t length = candidate - begin;
    if (length > MostOps || begin + LeastIterations * length > ops.size())
      return std::nullopt;
    if (isSame(begin, candidate, (LeastIterations - 1) * length))
      if (std::optional<Repeat> repeat = at(begin, length))
        return repeat;
    candidate = next[candidate];
  }
  return std::nullopt;
}

std::optional<Repeat> RepeatFinder::at(size_t begin, size_t length) {
  Repeat repeat{begin, length, RepeatMatch(ArrayRef(ops).drop_front(begin), length)};
  if (repeat.match.iterations.size() < LeastIterations)
    return std::nullopt;
  // Ops before a loop may look like the end of its body, and its first iteration seem to begin there.
  if (const unsigned better = repeat.match.bestBegin())
    repeat = {begin + better, length, RepeatMatch(ArrayRef(ops).drop_front(begin + better), length)};
  const size_t count = repeat.match.iterations.size();
  if (count < LeastIterations || !isLeftByLast(repeat))
    return std::nullopt;
  uint64_t values = 0;
  for (Operation *op : repeat.match.iterations.front().ops)
    values += valuesOf(op);
  // The loop's code and the last iteration's remain.
  repeat.saved = values * (count - 2);
  if (repeat.saved < LeastSavedByLoop)
    return std::nullopt;
  return repeat;
}

/// Returns whether the ops after the iterations use the values of the last one alone.
bool RepeatFinder::isLeftByLast(const Repeat &repeat) const {
  const size_t last = repeat.match.iterations.size() - 1;
  for (size_t i = 0; i < last * repeat.length; ++i)
    for (Operation *user : ops[repeat.begin + i]->getUsers()) {
      Operation *top = ops[repeat.begin]->getBlock()->findAncestorOpInBlock(*user);
      auto place = places.find(top);
      if (place == places.end() || (place->second - repeat.begin) / repeat.length > i / repeat.length + 1)
        return false;
    }
  return true;
}

uint64_t RepeatFinder::valuesOf(Operation *op) const {
  uint64_t values = 0;
  if (!isa<arith::ConstantOp>(op) && !op->hasTrait<OpTrait::IsTerminator>())
    for (Type type : op->getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      values = std::max<uint64_t>(values, tensor ? llvm::divideCeil(tensor.getNumElements(), threads) : 1);
    }
  return values;
}

/// Puts a loop into the place of all iterations but the last.
class RepeatRoller {
public:
  explicit RepeatRoller(Repeat &repeat) : match(repeat.match), length(repeat.length) {}
  void run();

private:
  Carried collectCarried();
  void eachCarriedOperand(Iteration &iteration, function_ref<void(OpOperand &, unsigned)> visit);
  void countNumbers(Value counter);

  RepeatMatch &match;
  size_t length;
  Carried carried;
};

Carried RepeatRoller::collectCarried() {
  Carried result;
  for (auto [start, rest] : llvm::zip_equal(match.first, match.later))
    if (rest.place == OperandSource::Place::IterationBefore)
      result.try_emplace({rest.number, start.outside}, result.size());
  return result;
}

void RepeatRoller::eachCarriedOperand(Iteration &iteration, function_ref<void(OpOperand &, unsigned)> visit) {
  size_t slot = 0;
  for (Operation *op : iteration.ops)
    for (OpOperand &operand : op->getOpOperands()) {
      const OperandSource &start = match.first[slot], &rest = match.later[slot];
      ++slot;
      if (rest.place == OperandSource::Place::IterationBefore)
        visit(operand, carried.lookup({rest.number, start.outside}));
    }
}

/// Computes what grows from one iteration to the next of `counter`, the iteration's number.
void RepeatRoller::countNumbers(Value counter) {
  Iteration &body = match.iterations.front();
  for (const auto &[place, step] : match.steps) {
    Operation *constant = body.ops[place];
    OpBuilder builder(constant);
    const Location loc = constant->getLoc();
    const Type type = constant->getResult(0).getType(), element = getElementTypeOrSelf(type);
    auto numberOf = [&](const APInt &value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(element, value));
    };
    Value number = counter;
    if (element.isIndex())
      number = arith::IndexCastOp::create(builder, loc, element, number);
    else if (step.getBitWidth() > 32)
      number = arith::ExtSIOp::create(builder, loc, element, number);
    else if (step.getBitWidth() < 32)
      number = arith::TruncIOp::create(builder, loc, element, number);
    if (!step.isOne())
      number = arith::MulIOp::create(builder, loc, number, numberOf(step));
    if (const APInt start = *wholeNumberOf(constant); !start.isZero())
      number = arith::AddIOp::create(builder, loc, number, numberOf(start));
    if (type != element)
      number = tile::SplatOp::create(builder, loc, type, number);
    Value before = constant->getResult(0);
    before.replaceAllUsesWith(number);
    llvm::replace(body.values, before, number);
    constant->erase();
  }
}

void RepeatRoller::run() {
  Iteration &body = match.iterations.front();
  Operation *begin = body.ops.front();
  SmallVector<Operation *> top;
  for (Block::iterator op = begin->getIterator(); top.size() < length * (match.iterations.size() - 1); ++op)
    top.push_back(&*op);
  carried = collectCarried();
  OpBuilder builder(begin);
  const Location loc = begin->getLoc();
  SmallVector<Value> initial;
  for (const auto &[key, index] : carried)
    initial.push_back(key.second);
  auto number = [&](size_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(value)));
  };
  auto loop =
      scf::ForOp::create(builder, loc, number(0), number(match.iterations.size() - 1), number(1), initial);
  Block *inside = loop.getBody();
  if (!inside->empty())
    inside->getTerminator()->erase();
  for (Operation *op : ArrayRef(top).take_front(length))
    op->moveBefore(inside, inside->end());
  eachCarriedOperand(match.iterations.back(),
                     [&](OpOperand &operand, unsigned index) { operand.set(loop.getResult(index)); });
  eachCarriedOperand(body,
                     [&](OpOperand &operand, unsigned index) { operand.set(loop.getRegionIterArg(index)); });
  for (Operation *op : llvm::reverse(ArrayRef(top).drop_front(length)))
    op->erase();
  countNumbers(loop.getInductionVar());
  SmallVector<Value> yielded;
  for (const auto &[key, index] : carried)
    yielded.push_back(body.values[key.first]);
  builder.setInsertionPointToEnd(inside);
  scf::YieldOp::create(builder, loc, yielded);
}

struct RollRepeatsPass : tegula::impl::RollRepeatsPassBase<RollRepeatsPass> {
  void runOnOperation() override {
    getOperation().walk([](func::FuncOp function) {
      for (unsigned level = 0; level < MostLevels && roll(function, level == 0 ? LeastSaved : 1); ++level)
        ;
    });
  }

  /// Makes loops of what repeats, if they save `least` values of a thread. Ops that contain such code wait
  /// for the next time.
  static bool roll(func::FuncOp function, uint64_t least) {
    const unsigned threads = Target::warpSize * warpsOfBlock(function);
    uint64_t saved = 0;
    SmallVector<Repeat, 0> found;
    llvm::DenseSet<Operation *> around;
    function.walk([&](Block *block) {
      if (!isa<func::FuncOp, scf::ForOp, scf::IfOp, scf::WhileOp>(block->getParentOp()))
        return;
      RepeatFinder finder(*block, threads);
      for (Repeat &repeat : finder.find()) {
        saved += repeat.saved;
        if (llvm::any_of(repeat.match.iterations, [&](const Iteration &iteration) {
              return llvm::any_of(iteration.ops, [&](Operation *op) { return around.contains(op); });
            }))
          continue;
        for (Operation *parent = block->getParentOp(); parent; parent = parent->getParentOp())
          around.insert(parent);
        found.push_back(std::move(repeat));
      }
    });
    if (found.empty() || saved < least)
      return false;
    for (Repeat &repeat : found) {
      remark::passed(repeat.match.iterations.front().ops.front()->getLoc(),
                     remark::RemarkOpts::name("rolled").category("roll-repeats"))
          << std::to_string(repeat.match.iterations.size()) + " times the same code become a loop";
      RepeatRoller(repeat).run();
    }
    return true;
  }
};

} // namespace
