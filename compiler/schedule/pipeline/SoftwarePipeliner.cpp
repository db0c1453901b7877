#include "compiler/schedule/pipeline/SoftwarePipeliner.h"

#include "compiler/schedule/pipeline/AsyncWork.h"
#include "compiler/schedule/pipeline/CarriedStates.h"
#include "compiler/schedule/pipeline/DeadInductionVariables.h"
#include "compiler/schedule/pipeline/Predication.h"
#include "compiler/schedule/pipeline/SeparateAddresses.h"
#include "compiler/analysis/resources/RegisterPressure.h"
#include "compiler/schedule/products/ProductsInFlight.h"

#include "mlir/Dialect/SCF/Transforms/Transforms.h"

#include <map>

using namespace mlir;

namespace tegula {

namespace {

class Pipeliner {
public:
  Pipeliner(scf::ForOp loop, LoopSchedule &plan)
      : loop(loop), plan(plan), rewriter(loop), stages(plan.stages),
        states(rewriter, this->loop, stages,
               plan.loads.empty() ? loop.getLoc() : plan.loads.front().load->getLoc()) {}

  Decision<> run() {
    startTmaCopies();
    TRY(keepInFlight());
    for (unsigned stage = 0; stage < stages.last(); ++stage)
      separateAddresses(rewriter, loop, plan, stages, stage);
    bufferLoads();
    makeGroups();
    ScheduleProblem problem(loop);
    work.addDependences(problem);
    // An op that begins with sums has registers of its own, whenever it does.
    problem.keepEffectsInOrder([&](Operation *op) { return stages.isSet(op) || isa<tgpu::MmaBeginOp>(op); });
    ModuloSchedule schedule = stages.schedule(problem);
    TRY(checkSchedule(problem, schedule));
    work.setPending(schedule);
    return carryOut(schedule);
  }

private:
  /// Lets upstream move the ops, and tidies up behind it.
  Decision<> carryOut(const ModuloSchedule &schedule) {
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
      return because("upstream's pipeliner refuses its schedule");
    foldScalars(before, *pipelined);
    rewriter.setInsertionPointAfter(*pipelined);
    // Copies without a wait would still be in flight when the memory has its next owner.
    if (hasCounted)
      tgpu::AsyncWaitOp::create(rewriter, pipelined->getLoc(), 0);
    // In a loop around this one its barriers begin anew.
    if ((*pipelined)->getParentOfType<LoopLikeOpInterface>())
      for (auto &[group, barriers] : groupBarriers)
        tgpu::BarriersEndOp::create(rewriter, pipelined->getLoc(), barriers);
    return {};
  }

  //===--------------------------------------------------------------------===//
  // TMA copies
  //===--------------------------------------------------------------------===//

  /// Puts TMA copies, of slots yet to be said, in place of loads. What computed pointers instead goes.
  void startTmaCopies() {
    if (!plan.has(tgpu::FetchKind::Tma))
      return;
    for (ScheduledLoad &scheduled : plan.loads)
      if (scheduled.by == tgpu::FetchKind::Tma)
        startTmaCopy(scheduled);
    loop = dropDeadInductionVariables(rewriter, loop);
  }

  void startTmaCopy(ScheduledLoad &scheduled) {
    auto load = cast<tgpu::TmaLoadOp>(scheduled.load);
    Value barriers = barriersOf(scheduled);
    for (Operation *op : coordinatesOf(load))
      stages.set(op, scheduled.stage);
    rewriter.setInsertionPoint(load);
    auto copy = createTmaCopy(rewriter, load, load.getStart(), load.getSlot(), barriers);
    stages.set(copy, scheduled.stage);
    tmaCopies[scheduled.buffer] = copy;
    scheduled.load = nullptr;
    rewriter.eraseOp(load);
  }

  /// The barriers of a planned load's group, which begin before the loop.
  Value barriersOf(const ScheduledLoad &planned) {
    Value &barriers = groupBarriers[planned.group];
    if (barriers)
      return barriers;
    rewriter.setInsertionPointToStart(&loop->getParentOfType<func::FuncOp>().getBody().front());
    barriers = tgpu::BarriersOp::create(
        rewriter, planned.load->getLoc(),
        tgpu::BarriersType::get(loop.getContext(), planned.slots(), /*arrivals=*/1, /*blocks=*/1));
    rewriter.setInsertionPoint(loop);
    tgpu::BarriersInitOp::create(rewriter, planned.load->getLoc(), barriers);
    return barriers;
  }

  //===--------------------------------------------------------------------===//
  // Products in flight
  //===--------------------------------------------------------------------===//

  Decision<> keepInFlight() {
    if (plan.inFlight.empty())
      return {};
    if (!plan.inFlight.front().getBufferA()) {
      auto isCopy = [&](Operation *op) {
        return isa<tgpu::TmaCopyOp>(op) || llvm::any_of(plan.loads, [&](const ScheduledLoad &scheduled) {
                 return scheduled.store == op;
               });
      };
      std::optional<OverlappedProducts> found = findOverlappedProducts(loop, isCopy);
      if (!found || found->late != plan.inFlight.front() || !isLateBehindEarly(*found, loop))
        return because("a product in flight is not the second of two, of what threads compute of the first");
      inFlightEnd = keepLateInFlight(rewriter, loop, *found);
      return {};
    }
    inFlightEnd = tegula::keepInFlight(rewriter, loop, plan.inFlight);
    for (tgpu::MmaOp product : plan.inFlight)
      stages.set(product, stages.last(), StepPart::Begin); // the unit has work while copies are started
    return {};
  }

  //===--------------------------------------------------------------------===//
  // Buffers
  //===--------------------------------------------------------------------===//

  /// Returns the stage in which the copies of group `index` are first read; the last where none are.
  unsigned readingStageOf(unsigned index) {
    unsigned stage = stages.last();
    for (const ScheduledLoad &planned : plan.loads)
      if (planned.isCopied() && planned.group == index)
        for (const tgpu::BufferRead &read : planned.readsIn(loop))
          stage = std::min(stage, stages.of(read.op));
    return stage;
  }

  /// Gives each access to a buffer the slot of its iteration.
  void bufferLoads() {
    // Each of these makes a new loop, with new arguments.
    for (ScheduledLoad &planned : plan.loads)
      if (planned.by != tgpu::FetchKind::Registers) {
        states.carry(planned.slots(), planned.stage);
        for (const tgpu::BufferRead &read : planned.readsIn(loop))
          states.carry(planned.slots(), stages.of(read.op));
        if (planned.by == tgpu::FetchKind::Tma)
          states.carry(planned.slots(), readingStageOf(planned.group));
      }
    for (ScheduledLoad &planned : plan.loads)
      if (planned.by != tgpu::FetchKind::Registers)
        work.buffers.push_back(bufferOf(planned));
  }

  SlottedBuffer bufferOf(ScheduledLoad &planned) {
    SlottedBuffer buffer;
    buffer.slots = planned.slots();
    for (const tgpu::BufferRead &read : planned.readsIn(loop)) {
      read.slot->set(states.slot(planned.slots(), stages.of(read.op)));
      buffer.reads.push_back(read.op);
      if (llvm::is_contained(plan.inFlight, read.op))
        buffer.release = inFlightEnd;
      // `split-dots` reads part after part, where the product is.
      if (buffer.slots == 1)
        for (tile::DotOp dot : loop.getBody()->getOps<tile::DotOp>())
          if (llvm::is_contained({beforeTransposition(dot.getA()), beforeTransposition(dot.getB())},
                                 read.op->getResult(0)))
            buffer.reads.push_back(dot);
    }
    Value ahead = states.slot(planned.slots(), planned.stage);
    if (planned.by == tgpu::FetchKind::Async) {
      buffer.write = copyInstead(planned, ahead);
      buffer.group = planned.group;
    } else if (planned.by == tgpu::FetchKind::Tma) {
      tgpu::TmaCopyOp copy = tmaCopies.at(planned.buffer);
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
  Operation *copyInstead(ScheduledLoad &planned, Value slot) {
    auto load = cast<tile::LoadOp>(planned.load);
    rewriter.setInsertionPoint(load);
    auto copy = tgpu::AsyncCopyOp::create(rewriter, load.getLoc(), load.getPointer(), load.getMask(),
                                          /*condition=*/Value(), planned.buffer, slot, load.getCache(),
                                          load.getEvict());
    stages.set(copy, planned.stage);
    stages.forget(load);
    planned.store.erase();
    planned.load = nullptr;
    load.erase();
    return copy;
  }

  /// Closes the copies of each group, and waits for them. The first wait begins the step: all threads having
  /// done so is the point after which slots may be filled again. Other waits are where they are needed.
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
      if (auto tma = dyn_cast<tgpu::TmaCopyOp>(last))
        closeTmaGroup(group, tma, read, stage);
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
    group.commit = tgpu::AsyncCommitOp::create(rewriter, last->getLoc());
    stages.set(group.commit, stages.of(last));
    rewriter.setInsertionPoint(read ? read : loop.getBody()->getTerminator());
    group.wait = tgpu::AsyncWaitOp::create(rewriter, last->getLoc(), /*pending=*/0);
  }

  /// Lets a phase of the slot's barrier complete with the group's copies.
  void closeTmaGroup(AsyncGroup &group, tgpu::TmaCopyOp last, Operation *read, unsigned stage) {
    uint32_t bytes = 0;
    for (Operation *start : group.starts)
      bytes += cast<tgpu::TmaCopyOp>(start).getBuffer().getType().getSlotBytes();
    rewriter.setInsertionPointAfter(last);
    group.commit = tgpu::BarrierExpectOp::create(rewriter, last.getLoc(), bytes, last.getBarriers(),
                                                 last.getPhaseSlot(), /*condition=*/Value());
    stages.set(group.commit, stages.of(last));
    unsigned slots = last.getBarriers().getType().getSlots();
    rewriter.setInsertionPoint(read ? read : loop.getBody()->getTerminator());
    group.wait = tgpu::BarrierWaitOp::create(rewriter, last.getLoc(), last.getBarriers(),
                                             states.slot(slots, stage), states.phase(slots, stage));
  }

  /// Returns the first op that reads the copies of group `index`: of the earliest stage the first in the
  /// body. Null if there is none.
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
  LoopSchedule &plan;
  IRRewriter rewriter;
  StageAssignment stages;
  CarriedStates states;
  AsyncWork work;
  llvm::DenseMap<Operation *, tgpu::TmaCopyOp> tmaCopies; ///< by the buffer that each fills
  std::map<unsigned, Value> groupBarriers;                ///< of groups of TMA copies
  Operation *inFlightEnd = nullptr;                       ///< the loop's wait for products in flight
};

} // namespace

Decision<> pipelineLoop(scf::ForOp loop, LoopSchedule &plan) { return Pipeliner(loop, plan).run(); }

} // namespace tegula
