#include "compiler/schedule/LoopPipeliner.h"

#include "compiler/schedule/LoopSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tegula {

namespace {

/// `op` under the condition that there is such an iteration: loads gain a mask, copies do not happen, and
/// what else there is has no effect that anybody sees (a slot is not read, a group may be empty).
Operation *predicate(RewriterBase &rewriter, Operation *op, Value condition) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  if (auto copy = dyn_cast<tgpu::AsyncCopyOp>(op)) {
    Value both = condition;
    if (copy.getCondition())
      both = arith::AndIOp::create(rewriter, op->getLoc(), copy.getCondition(), condition);
    rewriter.modifyOpInPlace(op, [&] { copy.getConditionMutable().assign(both); });
    return op;
  }
  if (isa<tgpu::AsyncCommitOp, tgpu::LocalStoreOp>(op))
    return op;
  auto load = dyn_cast<tile::LoadOp>(op);
  if (!load)
    return isMemoryEffectFree(op) ? op : nullptr;
  rewriter.modifyOpInPlace(load, [&] { maskLoad(rewriter, load, condition); });
  return load;
}

class Pipeliner {
public:
  Pipeliner(scf::ForOp loop, LoopPlan &plan) : loop(loop), plan(plan), rewriter(loop) {}

  std::string run() {
    for (unsigned stage = 0; stage + 1 < plan.stages; ++stage)
      separateAddresses(stage);
    bufferLoads();
    ScheduleProblem problem(loop);
    addBufferDependences(problem);
    LoopSchedule schedule = makeSchedule();
    if (std::string wrong = findViolation(problem, schedule); !wrong.empty())
      return wrong;
    scf::PipeliningOption options;
    options.getScheduleFn = [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &out) {
      out = schedule;
    };
    options.peelEpilogue = false;
    options.supportDynamicLoops = true;
    options.predicateFn = predicate;
    Operation *before = loop->getPrevNode();
    rewriter.setInsertionPoint(loop);
    FailureOr<scf::ForOp> pipelined = scf::pipelineForLoop(rewriter, loop, options);
    if (failed(pipelined))
      return "upstream's pipeliner refuses its schedule";
    foldScalars(before, *pipelined);
    if (wait) {
      // Copies that nobody waits for would still be under way when the memory has its next owner.
      rewriter.setInsertionPointAfter(*pipelined);
      tgpu::AsyncWaitOp::create(rewriter, pipelined->getLoc(), 0);
    }
    return {};
  }

private:
  /// Counts what is known of the first iterations: bounds and turns, which upstream leaves as sums of
  /// constants.
  static void foldScalars(Operation *before, scf::ForOp pipelined) {
    SmallVector<Operation *> scalars;
    auto add = [&](Operation *op) {
      if (isa<arith::ArithDialect>(op->getDialect()) && op->getNumResults() == 1 &&
          op->getResult(0).getType().isInteger() && !isa<arith::ConstantOp>(op))
        scalars.push_back(op);
    };
    SmallVector<tgpu::AsyncCopyOp> copies;
    for (Operation *op = before ? before->getNextNode() : &pipelined->getBlock()->front(); op != pipelined;
         op = op->getNextNode()) {
      add(op);
      if (auto copy = dyn_cast<tgpu::AsyncCopyOp>(op))
        copies.push_back(copy);
    }
    for (Operation &op : *pipelined.getBody())
      add(&op);
    (void)applyOpPatternsGreedily(scalars, FrozenRewritePatternSet());
    for (tgpu::AsyncCopyOp copy : copies)
      if (copy.getCondition() && matchPattern(copy.getCondition(), m_One()))
        copy.getConditionMutable().clear();
  }

  //===--------------------------------------------------------------------===//
  // Addresses
  //===--------------------------------------------------------------------===//

  /// Adds a carried value that starts as `init`; `makeNext` makes what is handed on, in the body.
  void carry(Value init, function_ref<Value(OpBuilder &, BlockArgument)> makeNext) {
    auto yield = [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> arguments) {
      return SmallVector<Value>{makeNext(builder, arguments[0])};
    };
    rewriter.setInsertionPoint(loop);
    loop = cast<scf::ForOp>(
        *loop.replaceWithAdditionalYields(rewriter, init, /*replaceInitOperandUsesInLoop=*/false, yield));
  }

  /// True if other ops than `own` need the carried value at `position`, in their own time, or what is after
  /// the loop does.
  bool isShared(unsigned position, function_ref<bool(Operation *)> isOwn) {
    return !loop.getResult(position).use_empty() ||
           !llvm::all_of(loop.getRegionIterArg(position).getUsers(), isOwn);
  }

  /// Gives the loads of `stage` addresses of their own: what others need is computed again in their own time
  /// and not kept until then.
  void separateAddresses(unsigned stage) {
    llvm::SmallSetVector<Operation *, 16> addresses;
    llvm::SmallSetVector<unsigned, 4> carried;
    llvm::SmallPtrSet<Operation *, 8> loads;
    for (PlannedLoad &planned : plan.loads)
      if (planned.stage == stage) {
        addresses.insert_range(planned.ahead.addresses);
        carried.insert_range(planned.ahead.carried);
        loads.insert(planned.ahead.load);
        stages[planned.ahead.load] = stage;
      }
    SmallVector<std::pair<unsigned, unsigned>> positions; // as written, and for these loads
    for (unsigned position : carried) {
      unsigned ahead = position;
      if (isShared(position,
                   [&](Operation *user) { return addresses.contains(user) || loads.contains(user); })) {
        ahead = loop.getNumRegionIterArgs();
        carry(loop.getInitArgs()[position],
              [&](OpBuilder &, BlockArgument) { return loop.getYieldedValues()[position]; });
      }
      positions.emplace_back(position, ahead);
    }
    IRMapping own;
    for (auto [position, ahead] : positions)
      own.map(loop.getRegionIterArg(position), loop.getRegionIterArg(ahead));
    OpBuilder builder(loop.getContext());
    SmallVector<Operation *> originals;
    for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
      if (addresses.contains(&op)) {
        builder.setInsertionPoint(&op);
        stages[builder.clone(op, own)] = stage;
        originals.push_back(&op);
      } else if (loads.contains(&op)) {
        for (OpOperand &operand : op.getOpOperands())
          operand.set(own.lookupOrDefault(operand.get()));
      }
    }
    Operation *yield = loop.getBody()->getTerminator();
    SmallVector<Value> moved;
    for (auto [position, ahead] : positions)
      moved.push_back(own.lookupOrDefault(yield->getOperand(position)));
    for (auto [position, value] : llvm::zip_equal(positions, moved))
      yield->setOperand(position.second, value);
    for (Operation *op : llvm::reverse(originals))
      if (op->use_empty())
        op->erase();
  }

  //===--------------------------------------------------------------------===//
  // Buffers
  //===--------------------------------------------------------------------===//

  /// Carries a number that says which of `slots` slots has its turn in the iteration that ops of `stage` work
  /// for, and wraps.
  void countTurns(unsigned slots, unsigned stage) {
    bool isNew = turns.try_emplace({slots, stage}, loop.getNumRegionIterArgs()).second;
    if (!isNew)
      return;
    Location loc = loop.getLoc();
    rewriter.setInsertionPoint(loop);
    Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
    Value one = arith::ConstantIntOp::create(rewriter, loc, 1, 32);
    Value end = arith::ConstantIntOp::create(rewriter, loc, slots, 32);
    carry(zero, [&](OpBuilder &builder, BlockArgument now) {
      Value next = arith::AddIOp::create(builder, loc, now, one);
      Value isEnd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, next, end);
      Value wrapped = arith::SelectOp::create(builder, loc, isEnd, zero, next);
      for (Value value : {next, isEnd, wrapped})
        stages[value.getDefiningOp()] = stage;
      return wrapped;
    });
  }

  Value turn(unsigned slots, unsigned stage) { return loop.getRegionIterArg(turns.at({slots, stage})); }

  unsigned slotsOf(const PlannedLoad &planned) {
    return planned.waiting == Waiting::Copied ? plan.stages : 2;
  }

  void bufferLoads() {
    // Each of these makes a new loop, with new arguments.
    for (PlannedLoad &planned : plan.loads)
      if (planned.waiting != Waiting::Registers)
        for (unsigned stage : {planned.stage, plan.stages - 1})
          countTurns(slotsOf(planned), stage);
    for (PlannedLoad &planned : plan.loads) {
      if (planned.waiting == Waiting::Registers)
        continue;
      unsigned slots = slotsOf(planned);
      Value ahead = turn(slots, planned.stage), now = turn(slots, plan.stages - 1);
      tgpu::AllocOp alloc = planned.buffer;
      tgpu::BufferType type = alloc.getType();
      alloc.getResult().setType(
          tgpu::BufferType::get(type.getContext(), slots, type.getTensor(), type.getLayout()));
      Buffer buffer;
      for (Operation *user : alloc->getUsers())
        if (auto read = dyn_cast<tgpu::LocalLoadOp>(user)) {
          read.getSlotMutable().assign(now);
          buffer.reads.push_back(read);
        }
      buffer.slots = slots;
      buffer.write = planned.waiting == Waiting::Copied ? copyInstead(planned, ahead) : planned.store;
      if (planned.waiting == Waiting::Stored) {
        planned.store.getSlotMutable().assign(ahead);
        stages[planned.store] = planned.stage;
      }
      buffers.push_back(std::move(buffer));
    }
    if (!plan.has(Waiting::Copied))
      return;
    Location loc = loop.getLoc();
    rewriter.setInsertionPointToStart(loop.getBody());
    wait = tgpu::AsyncWaitOp::create(rewriter, loc, plan.stages - 2);
    rewriter.setInsertionPoint(loop.getBody()->getTerminator());
    commit = tgpu::AsyncCommitOp::create(rewriter, loc);
    stages[commit] = 0;
  }

  /// A copy in place of a load and its store.
  Operation *copyInstead(PlannedLoad &planned, Value slot) {
    tile::LoadOp load = planned.ahead.load;
    rewriter.setInsertionPoint(load);
    auto copy = tgpu::AsyncCopyOp::create(rewriter, load.getLoc(), load.getPointer(), load.getMask(),
                                          /*condition=*/Value(), planned.buffer, slot, load.getCache(),
                                          load.getEvict());
    stages[copy] = planned.stage;
    stages.erase(load);
    planned.store.erase();
    load.erase();
    return copy;
  }

  //===--------------------------------------------------------------------===//
  // The schedule
  //===--------------------------------------------------------------------===//

  void addBufferDependences(ScheduleProblem &problem) {
    for (const Buffer &buffer : buffers)
      for (Operation *read : buffer.reads) {
        problem.add(buffer.write, read, 0, "a slot is read after it was written");
        problem.add(read, buffer.write, buffer.slots, "a slot is read before it is written again");
        if (isa<tgpu::AsyncCopyOp>(buffer.write))
          problem.add(wait, read, 0, "copies are waited for");
      }
    if (wait) {
      for (const Buffer &buffer : buffers)
        if (isa<tgpu::AsyncCopyOp>(buffer.write)) {
          problem.add(buffer.write, commit, 0, "a copy belongs to its iteration's group");
          problem.add(commit, buffer.write, 1, "a copy belongs to its iteration's group");
        }
      problem.add(commit, wait, 0, "there is something to wait for");
      problem.add(wait, commit, wait.getPending() + 1, "a wait leaves later groups pending only");
    }
    // What else has effects keeps its order, round the loop too.
    Operation *first = nullptr, *last = nullptr;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (isMemoryEffectFree(&op) || stages.contains(&op) || &op == wait)
        continue;
      if (last)
        problem.add(last, &op, 0, "effects keep their order");
      first = first ? first : &op;
      last = &op;
    }
    if (first != last)
      problem.add(last, first, 1, "effects keep their order");
  }

  LoopSchedule makeSchedule() {
    LoopSchedule schedule;
    unsigned lastStage = plan.stages - 1;
    auto addAll = [&](unsigned stage, function_ref<bool(Operation *)> isMeant) {
      for (Operation &op : loop.getBody()->without_terminator()) {
        auto found = stages.find(&op);
        if ((found == stages.end() ? lastStage : found->second) == stage && isMeant(&op))
          schedule.emplace_back(&op, stage);
      }
    };
    auto isStoreAhead = [&](Operation *op) { return isa<tgpu::LocalStoreOp>(op) && stages.contains(op); };
    if (wait)
      schedule.emplace_back(wait, lastStage);
    for (unsigned stage = 0; stage < lastStage; ++stage) {
      addAll(stage, [&](Operation *op) { return !isStoreAhead(op) && op != commit; });
      if (commit && stage == 0)
        schedule.emplace_back(commit, 0);
    }
    addAll(lastStage, [&](Operation *op) { return op != wait; });
    for (unsigned stage = 0; stage < lastStage; ++stage)
      addAll(stage, isStoreAhead);
    return schedule;
  }

  struct Buffer {
    Operation *write = nullptr;
    SmallVector<Operation *> reads;
    unsigned slots = 1;
  };

  scf::ForOp loop;
  LoopPlan &plan;
  IRRewriter rewriter;
  llvm::DenseMap<Operation *, unsigned> stages;                  ///< of ops that are not in the last one
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> turns; ///< positions carried, by slots and stage
  SmallVector<Buffer> buffers;
  tgpu::AsyncWaitOp wait;
  tgpu::AsyncCommitOp commit;
};

} // namespace

std::string pipelineLoop(scf::ForOp loop, LoopPlan &plan) { return Pipeliner(loop, plan).run(); }

} // namespace tegula
