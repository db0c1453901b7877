#include "compiler/schedule/specialize/WarpSpecializer.h"

#include "compiler/schedule/pipeline/DeadInductionVariables.h"
#include "compiler/schedule/plan/LoopNest.h"
#include "compiler/schedule/products/ProductsInFlight.h"
#include "compiler/schedule/specialize/ProducerScalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <map>

using namespace mlir;

namespace tegula {

namespace {

class Specializer {
public:
  Specializer(scf::ForOp loop, LoopSchedule &plan, tgpu::RolesAttr roles, SpecializedLoops &loops)
      : loop(loop), plan(plan), roles(roles), loops(loops), kernel(loop->getParentOfType<func::FuncOp>()),
        round(*loopsAround(loop)), isNextInRound(!loops.around.empty()), rewriter(loop) {}

  void run() {
    findLoads();
    if (!loops.producer) {
      makeChannels();
      makeProducer();
    } else if (loops.hasRun) {
      giveLastBack(); // the loop goes on with the slots of the one before
    }
    passOnFences();
    fillChannels();
    dropLoads();
    tgpu::MmaWaitOp inFlightEnd =
        plan.inFlight.empty() ? tgpu::MmaWaitOp() : keepInFlight(rewriter, loop, plan.inFlight);
    readChannels(inFlightEnd);
  }

private:
  /// The loads of one channel, and what reads their slots.
  struct Group {
    SmallVector<tgpu::TmaLoadOp> loads;
    SmallVector<tgpu::MmaOp> readers;
    SmallVector<OpOperand *> slots;
    uint32_t bytes = 0; ///< of a slot, all loads together
    LocationAttr loc;   ///< of the first load, which waits serve
  };

  void findLoads() {
    std::map<unsigned, Group> byGroup;
    for (ScheduledLoad &scheduled : plan.loads) {
      Group &group = byGroup[scheduled.group];
      group.loads.push_back(cast<tgpu::TmaLoadOp>(scheduled.load));
      if (!group.loc)
        group.loc = scheduled.load->getLoc();
      group.bytes += scheduled.buffer.getType().getSlotBytes();
      for (const tgpu::BufferRead &read : scheduled.readsIn(loop)) {
        group.readers.push_back(cast<tgpu::MmaOp>(read.op));
        group.slots.push_back(read.slot);
      }
    }
    for (auto &[number, group] : byGroup)
      groups.push_back(std::move(group));
  }

  void makeChannels() {
    for (const Group &group : groups)
      loops.channels.push_back(makeChannel(rewriter, group.loc, kernel, plan.stages));
  }

  /// Makes the producer after all that it uses: buffers, maps and barriers, which are at the start.
  void makeProducer() {
    Operation *last = nullptr;
    for (Operation &op : kernel.getBody().front())
      if (isa<tgpu::AllocOp, tgpu::TensorMapOp, tgpu::BarriersOp>(op))
        last = &op;
    rewriter.setInsertionPointAfter(last);
    for (Channel &channel : loops.channels)
      for (Value barriers : {channel.full, channel.empty})
        tgpu::BarriersInitOp::create(rewriter, barriers.getLoc(), barriers);
    loops.producer =
        tgpu::ProducerOp::create(rewriter, groups.front().loc, roles.getProducers(), DenseI32ArrayAttr());
    if (roles.getProducerRegisters()) {
      loops.producer.setRegisters(ArrayRef{roles.getProducerRegisters(), roles.getConsumerRegisters()});
      // Else the assembler takes no notice of registers that are handed over.
      kernel->setAttr("tile.occupancy", tile::OccupancyAttr::get(kernel.getContext(), 1));
    }
    rewriter.setInsertionPointToEnd(&loops.producer.getBody().emplaceBlock());
    loops.filled = begin(/*parity=*/1);
    rewriter.setInsertionPoint(outermostOf(loop));
    loops.read = begin(/*parity=*/0);
  }

  /// Lets the producer wait where the program has waited for others before the loop: the fences are those of
  /// who starts the loads.
  void passOnFences() {
    SmallVector<tgpu::GlobalFenceOp> fences;
    for (Operation *op = outermostOf(loop)->getPrevNode(); op; op = op->getPrevNode())
      if (auto fence = dyn_cast<tgpu::GlobalFenceOp>(op))
        fences.push_back(fence);
    if (fences.empty())
      return;
    Location loc = fences.front().getLoc();
    rewriter.setInsertionPointToStart(&kernel.getBody().front());
    Value told = makeBarriers(rewriter, loc, /*slots=*/1, consumersOf(kernel));
    rewriter.setInsertionPoint(loops.producer);
    tgpu::BarriersInitOp::create(rewriter, loc, told);
    Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
    rewriter.setInsertionPoint(fences.front()); // the last
    tgpu::BarrierArriveOp::create(rewriter, loc, told, zero, /*condition=*/Value());
    rewriter.setInsertionPointToEnd(&loops.producer.getBody().front());
    tgpu::BarrierWaitOp::create(rewriter, loc, told, zero, /*parity=*/zero);
    tgpu::GlobalFenceOp::create(rewriter, loc);
    for (tgpu::GlobalFenceOp fence : fences)
      rewriter.eraseOp(fence);
  }

  Value begin(unsigned parity) {
    auto type = tgpu::PipelineStateType::get(rewriter.getContext(), plan.stages);
    return tgpu::PipelineBeginOp::create(rewriter, groups.front().loc, type, parity);
  }

  void fillChannels() {
    Location loc = groups.front().loc;
    ScalarSlice slice;
    Block *at = &loops.producer.getBody().front();
    slice.add(&kernel.getBody().front(), at);
    Value state = loops.filled;
    auto enter = [&](scf::ForOp from, scf::ForOp copy) {
      slice.add(from, copy);
      at = copy.getBody();
      state = copy.getRegionIterArg(0);
    };
    auto copyLoop = [&](scf::ForOp from) {
      Value lower = slice.get(from.getLowerBound()), upper = slice.get(from.getUpperBound()),
            step = slice.get(from.getStep());
      rewriter.setInsertionPointToEnd(at);
      auto copy = scf::ForOp::create(rewriter, from.getLoc(), lower, upper, step, state);
      enter(from, copy);
      return copy;
    };
    for (auto [depth, outer] : llvm::enumerate(round))
      if (isNextInRound)
        enter(outer, loops.around[depth]);
      else
        loops.around.push_back(copyLoop(outer));
    if (isNextInRound) { // goes on where the last loop in there ends
      Operation *end = at->getTerminator();
      state = end->getOperand(0);
      rewriter.eraseOp(end);
    }
    // The operands of coordinates come first: the loop follows them.
    IRMapping values;
    for (Group &group : groups)
      for (tgpu::TmaLoadOp load : group.loads)
        mapOutside(load, slice, values);
    scf::ForOp made = copyLoop(loop);
    values.map(loop.getInductionVar(), made.getInductionVar());
    values.map(loop.getLowerBound(), made.getLowerBound());
    values.map(loop.getStep(), made.getStep());
    rewriter.setInsertionPointToStart(made.getBody());
    Value slot = tgpu::PipelineSlotOp::create(rewriter, loc, state),
          phase = tgpu::PipelinePhaseOp::create(rewriter, loc, state);
    for (auto [group, channel] : llvm::zip_equal(groups, loops.channels)) {
      tgpu::BarrierWaitOp::create(rewriter, group.loc, channel.empty, slot, phase);
      tgpu::BarrierExpectOp::create(rewriter, group.loc, group.bytes, channel.full, slot,
                                    /*condition=*/Value());
      for (tgpu::TmaLoadOp load : group.loads) {
        for (Operation *op : coordinatesOf(load))
          rewriter.clone(*op, values);
        SmallVector<Value> start;
        for (Value coordinate : load.getStart())
          start.push_back(values.lookupOrDefault(coordinate));
        createTmaCopy(rewriter, load, start, slot, channel.full);
      }
    }
    Value next = tgpu::PipelineNextOp::create(rewriter, loc, state);
    scf::YieldOp::create(rewriter, loc, next);
    Value left = made.getResult(0);
    for (scf::ForOp outer : llvm::reverse(loops.around)) {
      rewriter.setInsertionPointToEnd(outer.getBody());
      scf::YieldOp::create(rewriter, loc, left);
      left = outer.getResult(0);
      if (isNextInRound)
        break; // those around it yield its result as it is
    }
    loops.filled = round.empty() ? left : loops.around.front().getResult(0);
  }

  /// Maps the values that the coordinates of `load` are made of, except the loop's counter and bounds, to the
  /// producer's.
  void mapOutside(tgpu::TmaLoadOp load, ScalarSlice &slice, IRMapping &values) {
    auto add = [&](ValueRange operands) {
      for (Value value : operands)
        if (value.getParentBlock() != loop.getBody() && value != loop.getLowerBound() &&
            value != loop.getStep())
          values.map(value, slice.get(value));
    };
    for (Operation *op : coordinatesOf(load))
      add(op->getOperands());
    add(load.getStart());
  }

  void dropLoads() {
    for (Group &group : groups)
      for (tgpu::TmaLoadOp load : group.loads)
        load.erase();
    loop = dropDeadInductionVariables(rewriter, loop);
  }

  void readChannels(tgpu::MmaWaitOp inFlightEnd) {
    Location loc = groups.front().loc;
    Value begin = isNextInRound ? loops.read : carryThrough(rewriter, round, loops.read);
    Value state = carryState(rewriter, loop, begin);
    loops.read = loop.getResults().back();
    handOn(round, loops.read);
    rewriter.setInsertionPointToStart(loop.getBody());
    Value slot = tgpu::PipelineSlotOp::create(rewriter, loc, state),
          phase = tgpu::PipelinePhaseOp::create(rewriter, loc, state);
    loops.last = loop;
    loops.hasRun = {};
    for (auto [group, channel] : llvm::zip_equal(groups, loops.channels)) {
      auto byPlace = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
      rewriter.setInsertionPoint(*llvm::min_element(group.readers, byPlace));
      tgpu::BarrierWaitOp::create(rewriter, group.loc, channel.full, slot, phase);
      for (OpOperand *read : group.slots)
        read->set(slot);
      if (inFlightEnd)
        continue;
      SmallVector<Operation *> ends;
      for (tgpu::MmaOp reader : group.readers)
        ends.push_back(*reader->getUsers().begin()); // the wait
      rewriter.setInsertionPointAfter(*llvm::max_element(ends, byPlace));
      tgpu::BarrierArriveOp::create(rewriter, group.loc, channel.empty, slot, /*condition=*/Value());
    }
    if (inFlightEnd)
      arriveLate(inFlightEnd, state);
  }

  /// Arrives after the wait for the previous iteration, which the first does not have. The slots that the
  /// last iteration reads are free after the wait that follows the loop.
  void arriveLate(tgpu::MmaWaitOp inFlightEnd, Value state) {
    Location loc = groups.front().loc;
    rewriter.setInsertionPointAfter(inFlightEnd);
    Value isAny = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, loop.getInductionVar(),
                                        loop.getLowerBound());
    Value before = slotBefore(state);
    for (Channel &channel : loops.channels)
      tgpu::BarrierArriveOp::create(rewriter, loc, channel.empty, before, isAny);
    loops.last = loop->getNextNode();
    while (!isa<tgpu::MmaWaitOp>(loops.last))
      loops.last = loops.last->getNextNode();
    rewriter.setInsertionPointAfter(loops.last);
    loops.hasRun = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, loop.getLowerBound(),
                                         loop.getUpperBound());
    loops.last = loops.hasRun.getDefiningOp();
    // In a loop it is given back for the next time; after the kernel's last loop no copy waits for it.
    if (!round.empty()) {
      giveLastBack();
      loops.hasRun = {};
    }
  }

  Value slotBefore(Value state) {
    Value previous = tgpu::PipelinePreviousOp::create(rewriter, groups.front().loc, state);
    return tgpu::PipelineSlotOp::create(rewriter, groups.front().loc, previous);
  }

  void giveLastBack() {
    Location loc = groups.front().loc;
    rewriter.setInsertionPointAfter(loops.last);
    Value slot = slotBefore(loops.read);
    for (Channel &channel : loops.channels)
      tgpu::BarrierArriveOp::create(rewriter, loc, channel.empty, slot, loops.hasRun);
  }

  scf::ForOp loop;
  LoopSchedule &plan;
  tgpu::RolesAttr roles;
  SpecializedLoops &loops;
  func::FuncOp kernel;
  SmallVector<scf::ForOp> round; ///< the loops around it, the outermost first
  const bool isNextInRound;      ///< an earlier loop has passed on its states by them
  IRRewriter rewriter;
  SmallVector<Group, 2> groups;
};

} // namespace

void specializeLoop(scf::ForOp loop, LoopSchedule &schedule, tgpu::RolesAttr roles,
                    SpecializedLoops &before) {
  Specializer(loop, schedule, roles, before).run();
}

} // namespace tegula
