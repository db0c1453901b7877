#include "compiler/schedule/pipeline/SoftwarePipeliner.h"

#include "compiler/schedule/pipeline/AsyncWork.h"
#include "compiler/schedule/products/Flights.h"
#include "compiler/schedule/pipeline/IdleCounters.h"
#include "compiler/schedule/pipeline/StageAssignment.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <map>

using namespace mlir;

namespace tegula {

namespace {

/// A read of a buffer for an iteration that there may not be: its slot need never have been written.
Operation *predicateRead(RewriterBase &rewriter, tgpu::LocalLoadOp read, Value condition) {
  Location loc = read.getLoc();
  auto test = scf::IfOp::create(rewriter, loc, read.getType(), condition, /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(test.elseBlock());
  Value nothing = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(read.getType()));
  scf::YieldOp::create(rewriter, loc, nothing);
  rewriter.moveOpBefore(read, test.thenBlock(), test.thenBlock()->begin());
  rewriter.setInsertionPointToEnd(test.thenBlock());
  scf::YieldOp::create(rewriter, loc, read.getResult());
  return test;
}

/// The operand that says whether a copy, or what belongs to one, happens; nothing for ops that have none.
std::optional<MutableOperandRange> conditionOf(Operation *op) {
  if (auto copy = dyn_cast<tgpu::AsyncCopyOp>(op))
    return copy.getConditionMutable();
  if (auto copy = dyn_cast<tgpu::BulkCopyOp>(op))
    return copy.getConditionMutable();
  if (auto expect = dyn_cast<tgpu::BulkExpectOp>(op))
    return expect.getConditionMutable();
  return std::nullopt;
}

/// `op` under the condition that there is such an iteration: loads gain a mask, copies do not happen, buffers
/// are not read, and what else there is has no effect that anybody sees (a slot is not read, a group may be
/// empty).
Operation *predicate(RewriterBase &rewriter, Operation *op, Value condition) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  if (std::optional<MutableOperandRange> own = conditionOf(op)) {
    Value both = condition;
    if (!own->empty())
      both = arith::AndIOp::create(rewriter, op->getLoc(), (*own)[0].get(), condition);
    rewriter.modifyOpInPlace(op, [&] { own->assign(both); });
    return op;
  }
  if (isa<tgpu::BulkAwaitOp>(op)) {
    // A phase that nobody brings anything in does not end.
    auto test = scf::IfOp::create(rewriter, op->getLoc(), condition, /*withElseRegion=*/false);
    rewriter.moveOpBefore(op, test.thenBlock()->getTerminator());
    return test;
  }
  // Products are of the last stage, whose iterations all are.
  if (isa<tgpu::AsyncCommitOp, tgpu::AsyncWaitOp, tgpu::LocalStoreOp, tgpu::MmaBeginOp>(op))
    return op;
  if (auto read = dyn_cast<tgpu::LocalLoadOp>(op))
    return predicateRead(rewriter, read, condition);
  auto load = dyn_cast<tile::LoadOp>(op);
  if (!load)
    return isMemoryEffectFree(op) ? op : nullptr;
  rewriter.modifyOpInPlace(load, [&] { maskLoad(rewriter, load, condition); });
  return load;
}

class Pipeliner {
public:
  Pipeliner(scf::ForOp loop, PrefetchPlan &plan)
      : loop(loop), plan(plan), rewriter(loop), stages(plan.stages) {}

  std::string run() {
    for (auto [op, stage] : plan.early)
      stages.set(op, stage);
    startBulkCopies();
    keepFlying();
    for (unsigned stage = 0; stage < stages.last(); ++stage)
      separateAddresses(stage);
    bufferLoads();
    makeGroups();
    ScheduleProblem problem(loop);
    work.addDependences(problem);
    // Who begins with sums has registers of its own, whenever it does.
    problem.keepEffectsInOrder([&](Operation *op) { return stages.isSet(op) || isa<tgpu::MmaBeginOp>(op); });
    ModuloSchedule schedule = stages.schedule(problem);
    if (std::string wrong = findViolation(problem, schedule); !wrong.empty())
      return wrong;
    work.setPending(schedule);
    return carryOut(schedule);
  }

private:
  /// Lets upstream move the ops, and tidies up behind it.
  std::string carryOut(const ModuloSchedule &schedule) {
    scf::PipeliningOption options;
    options.getScheduleFn = [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &out) {
      out = schedule;
    };
    options.peelEpilogue = false;
    options.supportDynamicLoops = true;
    options.predicateFn = predicate;
    Operation *before = loop->getPrevNode();
    const bool hasCounted = work.hasCounted(); // of ops that are other ones afterwards
    rewriter.setInsertionPoint(loop);
    FailureOr<scf::ForOp> pipelined = scf::pipelineForLoop(rewriter, loop, options);
    if (failed(pipelined))
      return "upstream's pipeliner refuses its schedule";
    foldScalars(before, *pipelined);
    rewriter.setInsertionPointAfter(*pipelined);
    // Copies that nobody waits for would still be under way when the memory has its next owner.
    if (hasCounted)
      tgpu::AsyncWaitOp::create(rewriter, pipelined->getLoc(), 0);
    // Round a loop that this one stands in its barriers begin anew.
    if ((*pipelined)->getParentOfType<LoopLikeOpInterface>())
      for (auto &[group, barriers] : groupBarriers)
        tgpu::BarriersEndOp::create(rewriter, pipelined->getLoc(), barriers);
    return {};
  }

  /// Counts what is known of the first iterations: bounds and indices of slots, which upstream leaves as sums
  /// of constants.
  static void foldScalars(Operation *before, scf::ForOp pipelined) {
    SmallVector<Operation *> scalars;
    auto add = [&](Operation *op) {
      if (isa<arith::ArithDialect>(op->getDialect()) && op->getNumResults() == 1 &&
          op->getResult(0).getType().isInteger() && !isa<arith::ConstantOp>(op))
        scalars.push_back(op);
    };
    SmallVector<MutableOperandRange> conditions;
    for (Operation *op = before ? before->getNextNode() : &pipelined->getBlock()->front(); op != pipelined;
         op = op->getNextNode()) {
      add(op);
      if (std::optional<MutableOperandRange> condition = conditionOf(op))
        conditions.push_back(*condition);
    }
    for (Operation &op : *pipelined.getBody())
      add(&op);
    (void)applyOpPatternsGreedily(scalars, FrozenRewritePatternSet());
    for (MutableOperandRange condition : conditions)
      if (!condition.empty() && matchPattern(condition[0].get(), m_One()))
        condition.clear();
  }

  //===--------------------------------------------------------------------===//
  // Bulk copies
  //===--------------------------------------------------------------------===//

  /// Puts bulk copies, of slots yet to be said, in place of loads and their stores. What computed the pointers goes.
  void startBulkCopies() {
    if (!plan.has(Waiting::Bulk))
      return;
    for (PlannedLoad &planned : plan.loads)
      if (planned.waiting == Waiting::Bulk)
        startBulkCopy(planned);
    eraseDead();
    dropCounters();
    eraseDead();
  }

  void startBulkCopy(PlannedLoad &planned) {
    tile::LoadOp load = planned.ahead.load;
    Location loc = load.getLoc();
    Value barriers = barriersOf(planned);
    Value map = createTensorMap(rewriter, loc, loop->getParentOfType<func::FuncOp>(), *planned.source);
    rewriter.setInsertionPoint(planned.store);
    Operation *before = planned.store->getPrevNode();
    SmallVector<Value> start;
    for (unsigned axis : planned.source->order)
      start.push_back(plan.boxes->startOf(planned.source->box.axes[axis], rewriter, loc, loop));
    Value slot = planned.store.getSlot();
    bulkCopies[planned.buffer] = tgpu::BulkCopyOp::create(rewriter, loc, map, start, /*condition=*/Value(),
                                                          planned.buffer, slot, barriers, slot);
    planned.source->markAxesInFront(bulkCopies[planned.buffer]);
    for (Operation *op = before->getNextNode(); op != planned.store; op = op->getNextNode())
      stages.set(op, planned.stage);
    planned.ahead.addresses.clear();
    planned.ahead.carried.clear();
    planned.store.erase();
    load.erase();
  }

  /// The barriers of a planned load's group, which begin before the loop.
  Value barriersOf(const PlannedLoad &planned) {
    Value &barriers = groupBarriers[planned.group];
    if (barriers)
      return barriers;
    rewriter.setInsertionPointToStart(&loop->getParentOfType<func::FuncOp>().getBody().front());
    barriers = tgpu::BarriersOp::create(
        rewriter, loop.getLoc(), tgpu::BarriersType::get(loop.getContext(), planned.slots, /*arrivals=*/1));
    rewriter.setInsertionPoint(loop);
    tgpu::BarriersInitOp::create(rewriter, loop.getLoc(), barriers);
    return barriers;
  }

  void eraseDead() {
    tegula::eraseDead(rewriter, loop, [&](Operation *op) { return stages.isSet(op); });
  }

  /// The loads' carried values are others where the loop carries fewer.
  void dropCounters() {
    llvm::DenseMap<unsigned, unsigned> kept;
    loop = dropIdleCounters(rewriter, loop, kept);
    for (PlannedLoad &planned : plan.loads) {
      llvm::SmallSetVector<unsigned, 4> carried;
      for (unsigned position : planned.ahead.carried)
        carried.insert(kept.at(position));
      planned.ahead.carried = std::move(carried);
    }
  }

  //===--------------------------------------------------------------------===//
  // Products in flight
  //===--------------------------------------------------------------------===//

  void keepFlying() {
    if (plan.flights.empty())
      return;
    flightsEnd = tegula::keepFlying(rewriter, loop, plan.flights);
    for (tgpu::MmaOp product : plan.flights)
      stages.set(product, stages.last(), StepPart::Begin); // the unit has work while copies are started
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
      if (planned.stage == stage && planned.waiting != Waiting::Bulk) {
        addresses.insert_range(planned.ahead.addresses);
        carried.insert_range(planned.ahead.carried);
        loads.insert(planned.ahead.load);
        stages.set(planned.ahead.load, stage);
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
        stages.set(builder.clone(op, own), stage);
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

  /// Carries the index of the slot, of `slots`, that the iteration has for which ops of `stage` work; it
  /// wraps.
  void carrySlotIndex(unsigned slots, unsigned stage) {
    bool isNew = slotIndices.try_emplace({slots, stage}, loop.getNumRegionIterArgs()).second;
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
        stages.set(value.getDefiningOp(), stage);
      return wrapped;
    });
  }

  Value slotIndex(unsigned slots, unsigned stage) {
    return loop.getRegionIterArg(slotIndices.at({slots, stage}));
  }

  /// Carries how often the index of the slot has wrapped, modulo 2: which phase of its barrier the iteration has.
  void carryParity(unsigned slots, unsigned stage) {
    bool isNew = parities.try_emplace({slots, stage}, loop.getNumRegionIterArgs()).second;
    if (!isNew)
      return;
    Location loc = loop.getLoc();
    rewriter.setInsertionPoint(loop);
    Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
    Value one = arith::ConstantIntOp::create(rewriter, loc, 1, 32);
    Value last = arith::ConstantIntOp::create(rewriter, loc, slots - 1, 32);
    carry(zero, [&](OpBuilder &builder, BlockArgument now) {
      Value isLast =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, slotIndex(slots, stage), last);
      Value other = arith::XOrIOp::create(builder, loc, now, one);
      Value next = arith::SelectOp::create(builder, loc, isLast, other, now);
      for (Value value : {isLast, other, next})
        stages.set(value.getDefiningOp(), stage);
      return next;
    });
  }

  Value parity(unsigned slots, unsigned stage) {
    return loop.getRegionIterArg(parities.at({slots, stage}));
  }

  /// The stage in which what group `index` brings is first read; the last where nobody does.
  unsigned readingStageOf(unsigned index) {
    unsigned stage = stages.last();
    for (const PlannedLoad &planned : plan.loads)
      if (planned.isCopied() && planned.group == index)
        for (const tgpu::BufferRead &read : readsOf(planned))
          stage = std::min(stage, stages.of(read.op));
    return stage;
  }

  /// The reads of a planned load's buffer.
  static SmallVector<tgpu::BufferRead> readsOf(const PlannedLoad &planned) {
    tgpu::AllocOp alloc = planned.buffer;
    return tgpu::readsOf(alloc);
  }

  /// Gives buffers their slots, and each access the slot of its iteration.
  void bufferLoads() {
    // Each of these makes a new loop, with new arguments.
    for (PlannedLoad &planned : plan.loads)
      if (planned.waiting != Waiting::Registers) {
        carrySlotIndex(planned.slots, planned.stage);
        for (const tgpu::BufferRead &read : readsOf(planned))
          carrySlotIndex(planned.slots, stages.of(read.op));
        if (planned.waiting == Waiting::Bulk) {
          unsigned stage = readingStageOf(planned.group);
          carrySlotIndex(planned.slots, stage);
          carryParity(planned.slots, stage);
        }
      }
    for (PlannedLoad &planned : plan.loads)
      if (planned.waiting != Waiting::Registers)
        work.buffers.push_back(bufferOf(planned));
  }

  SlottedBuffer bufferOf(PlannedLoad &planned) {
    tgpu::AllocOp alloc = planned.buffer;
    tgpu::BufferType type = alloc.getType();
    alloc.getResult().setType(
        tgpu::BufferType::get(type.getContext(), planned.slots, type.getTensor(), type.getLayout()));
    SlottedBuffer buffer;
    buffer.slots = planned.slots;
    for (const tgpu::BufferRead &read : readsOf(planned)) {
      read.slot->set(slotIndex(planned.slots, stages.of(read.op)));
      buffer.reads.push_back(read.op);
      if (llvm::is_contained(plan.flights, read.op))
        buffer.release = flightsEnd;
    }
    Value ahead = slotIndex(planned.slots, planned.stage);
    if (planned.waiting == Waiting::Copied) {
      buffer.write = copyInstead(planned, ahead);
      buffer.group = planned.group;
    } else if (planned.waiting == Waiting::Bulk) {
      tgpu::BulkCopyOp copy = bulkCopies.at(alloc);
      copy.getSlotMutable().assign(ahead);
      copy.getPhaseSlotMutable().assign(ahead);
      buffer.write = copy;
      buffer.group = planned.group;
    } else {
      buffer.write = planned.store;
      planned.store.getSlotMutable().assign(ahead);
      stages.set(planned.store, planned.stage, StepPart::End);
    }
    return buffer;
  }

  /// A copy in place of a load and its store.
  Operation *copyInstead(PlannedLoad &planned, Value slot) {
    tile::LoadOp load = planned.ahead.load;
    rewriter.setInsertionPoint(load);
    auto copy = tgpu::AsyncCopyOp::create(rewriter, load.getLoc(), load.getPointer(), load.getMask(),
                                          /*condition=*/Value(), planned.buffer, slot, load.getCache(),
                                          load.getEvict());
    stages.set(copy, planned.stage);
    stages.forget(load);
    planned.store.erase();
    load.erase();
    return copy;
  }

  /// Closes the copies of each group, and waits for them. The first wait begins the step: all threads having
  /// done so is the point behind which slots may be filled again. Others stand where they are needed.
  void makeGroups() {
    for (SlottedBuffer &buffer : work.buffers)
      if (buffer.group) {
        work.groups.resize(std::max<size_t>(work.groups.size(), *buffer.group + 1));
        work.groups[*buffer.group].starts.push_back(buffer.write);
      }
    for (unsigned index = 0; index < work.groups.size(); ++index) {
      AsyncGroup &group = work.groups[index];
      Operation *last = group.starts.front(), *read = firstReadOf(index);
      for (Operation *start : group.starts)
        last = last->isBeforeInBlock(start) ? start : last;
      unsigned stage = readingStageOf(index);
      if (auto bulk = dyn_cast<tgpu::BulkCopyOp>(last))
        closeBulkGroup(group, bulk, read, stage);
      else
        closeGroup(group, last, read, index + 1 == work.groups.size());
      if (index == 0)
        stages.set(group.wait, stage, StepPart::Begin);
      else
        stages.set(group.wait, stage);
    }
  }

  void closeGroup(AsyncGroup &group, Operation *last, Operation *read, bool isLastGroup) {
    if (isLastGroup)
      rewriter.setInsertionPoint(loop.getBody()->getTerminator());
    else
      rewriter.setInsertionPointAfter(last);
    group.commit = tgpu::AsyncCommitOp::create(rewriter, loop.getLoc());
    stages.set(group.commit, stages.of(last));
    rewriter.setInsertionPoint(read ? read : loop.getBody()->getTerminator());
    group.wait = tgpu::AsyncWaitOp::create(rewriter, loop.getLoc(), /*pending=*/0);
  }

  /// A phase of the slot's barrier brings what the group's copies do.
  void closeBulkGroup(AsyncGroup &group, tgpu::BulkCopyOp last, Operation *read, unsigned stage) {
    uint32_t bytes = 0;
    for (Operation *start : group.starts)
      bytes += cast<tgpu::BulkCopyOp>(start).getBuffer().getType().getSlotBytes();
    rewriter.setInsertionPointAfter(last);
    group.commit = tgpu::BulkExpectOp::create(rewriter, loop.getLoc(), bytes, last.getBarriers(),
                                              last.getPhaseSlot(), /*condition=*/Value());
    stages.set(group.commit, stages.of(last));
    unsigned slots = last.getBarriers().getType().getSlots();
    rewriter.setInsertionPoint(read ? read : loop.getBody()->getTerminator());
    group.wait = tgpu::BulkAwaitOp::create(rewriter, loop.getLoc(), last.getBarriers(), slotIndex(slots, stage),
                                           parity(slots, stage));
  }

  /// The first to read what group `index` brings: of the earliest stage the first in the body. Null if nobody
  /// does.
  Operation *firstReadOf(unsigned index) {
    Operation *first = nullptr;
    for (const SlottedBuffer &buffer : work.buffers)
      if (buffer.group == index)
        for (Operation *read : buffer.reads)
          if (!first || stages.of(read) < stages.of(first) ||
              (stages.of(read) == stages.of(first) && read->isBeforeInBlock(first)))
            first = read;
    return first;
  }

  scf::ForOp loop;
  PrefetchPlan &plan;
  IRRewriter rewriter;
  StageAssignment stages;
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned>
      slotIndices, parities; ///< positions carried, by slots and stage
  AsyncWork work;
  llvm::DenseMap<Operation *, tgpu::BulkCopyOp> bulkCopies; ///< by the buffer that each fills
  std::map<unsigned, Value> groupBarriers;                  ///< of groups of bulk copies
  Operation *flightsEnd = nullptr; ///< the loop's wait for products in flight
};

} // namespace

std::string pipelineLoop(scf::ForOp loop, PrefetchPlan &plan) { return Pipeliner(loop, plan).run(); }

} // namespace tegula
