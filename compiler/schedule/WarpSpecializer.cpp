#include "compiler/schedule/WarpSpecializer.h"

#include "compiler/analysis/Executor.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/RegisterLimit.h"
#include "compiler/schedule/Flights.h"
#include "compiler/schedule/IdleCounters.h"
#include "compiler/schedule/RegisterPressure.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;

namespace tegula {

namespace {

constexpr unsigned GroupWarps = 4;    ///< whose products are done together
constexpr unsigned ProducerWarps = 1; ///< one thread starts all copies

/// Below these, one warp more would let fewer blocks share a multiprocessor, which hides more than it does.
constexpr unsigned LeastWarps = 8;

/// Of what `estimateRegisters` adds to what it counts: addresses of copies and counters, which the others no
/// longer have. A 128 by 256 product of 8 warps takes 154 registers beside a producer, 128 of them sums.
constexpr uint32_t RegistersOfCopies = 16;

//===----------------------------------------------------------------------===//
// What the producer computes by itself
//===----------------------------------------------------------------------===//

/// Whether a thread alone can compute what `op` does, again and at any time.
bool isScalarOp(Operation *op) {
  auto isScalar = [](Type type) { return !isa<ShapedType, tgpu::FlyingType>(type); };
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperandTypes(), isScalar) && llvm::all_of(op->getResultTypes(), isScalar);
}

/// Values outside of every loop, computed again at the end of the producer's body.
class ScalarSlice {
public:
  /// Whether `value` can be had without memory and without other threads.
  static bool canCompute(Value value) {
    SmallVector<Value> values{value};
    llvm::DenseSet<Value> seen;
    while (!values.empty()) {
      Value next = values.pop_back_val();
      if (!seen.insert(next).second)
        continue;
      if (auto argument = dyn_cast<BlockArgument>(next)) {
        if (!isa<func::FuncOp>(argument.getOwner()->getParentOp()))
          return false;
        continue;
      }
      Operation *op = next.getDefiningOp();
      if (!isa<func::FuncOp>(op->getParentOp()) || !isScalarOp(op))
        return false;
      llvm::append_range(values, op->getOperands());
    }
    return true;
  }

  explicit ScalarSlice(tgpu::ProducerOp producer) : block(&producer.getBody().front()) {}

  Value get(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() == block)
      return value;
    SmallVector<Operation *> pending{op};
    while (!pending.empty()) {
      Operation *next = pending.back();
      const size_t before = pending.size();
      for (Value operand : next->getOperands())
        if (Operation *source = operand.getDefiningOp(); source && !copies.contains(operand))
          pending.push_back(source);
      if (pending.size() != before)
        continue;
      pending.pop_back();
      if (!copies.contains(next->getResult(0)))
        OpBuilder::atBlockEnd(block).clone(*next, copies);
    }
    return copies.lookup(value);
  }

private:
  Block *block;
  IRMapping copies;
};

//===----------------------------------------------------------------------===//
// Whether
//===----------------------------------------------------------------------===//

/// What a kernel does that warps which run ahead of the others, and end before them, could upset; empty if
/// nothing.
StringRef whyNotBeside(func::FuncOp kernel) {
  StringRef why;
  kernel.walk([&](Operation *op) {
    if (isa<tile::GridDependencyOp>(op))
      why = "the kernel waits for launches before it";
    else if (isa<tgpu::ProducerOp>(op))
      why = "another loop of the kernel has the warps that only load";
    else if (isa<tile::LoadOp, tile::AtomicRMWOp, tile::AtomicCASOp>(op) &&
             op->getParentOfType<scf::WhileOp>())
      why = "a `while` of the kernel may wait for other programs";
  });
  return why;
}

/// Whether it is known behind which op of the loop's body `product` has read.
bool endsInLoop(tgpu::MmaOp product, const PrefetchPlan &plan) {
  if (llvm::is_contained(plan.flights, product))
    return true;
  auto wait = dyn_cast<tgpu::MmaWaitOp>(*product->getUsers().begin());
  return wait && wait.getPending() == 0 && wait->getBlock() == product->getBlock();
}

StringRef whyNotByLoads(scf::ForOp loop, const PrefetchPlan &plan) {
  for (const PlannedLoad &planned : plan.loads) {
    if (planned.waiting != Waiting::Bulk)
      return "a load is not by the bulk copy engine";
    tgpu::AllocOp buffer = planned.buffer;
    for (const tgpu::BufferRead &read : tgpu::readsOf(buffer)) {
      auto product = dyn_cast<tgpu::MmaOp>(read.op);
      if (!product)
        return "threads read by themselves what a load brings";
      if (!endsInLoop(product, plan))
        return "products read what a load brings until after the iteration";
    }
    for (const BoxAxis &axis : planned.source->box.axes)
      if (!llvm::all_of(plan.boxes->valuesIn(axis.start), ScalarSlice::canCompute))
        return "where a load reads depends on memory or on what threads compute together";
  }
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (!ScalarSlice::canCompute(bound))
      return "how often it runs depends on memory or on what threads compute together";
  return {};
}

} // namespace

std::string whyNotSpecialized(scf::ForOp loop, const PrefetchPlan &plan, bool isAsked) {
  if (!plan.has(Waiting::Bulk))
    return "no load is by the bulk copy engine";
  if (!mayUse(loop, Feature::Specialize))
    return "the compilation is told to do without (`specialize`)";
  auto kernel = dyn_cast<func::FuncOp>(loop->getParentOp());
  if (!kernel)
    return "it stands in a loop or a branch";
  if (StringRef why = whyNotBeside(kernel); !why.empty())
    return why.str();
  if (StringRef why = whyNotByLoads(loop, plan); !why.empty())
    return why.str();
  const unsigned warps = kernelOf(kernel).getWarps();
  if (warps % GroupWarps != 0)
    return "its warps are no whole groups of four";
  if (isAsked)
    return {};
  if (warps < LeastWarps)
    return llvm::formatv("with {0} warps, blocks that share a multiprocessor hide the same", warps);
  const uint32_t needed = estimateRegisters(loop, [](Value) { return false; }) - RegistersOfCopies,
                 limit = registersWithWarps(warps + ProducerWarps, *targetOf(loop));
  if (needed > limit)
    return llvm::formatv("it needs {0} registers a thread, and with {1} warps more there are {2}", needed,
                         ProducerWarps, limit);
  return {};
}

//===----------------------------------------------------------------------===//
// How
//===----------------------------------------------------------------------===//

namespace {

/// What is filled and read together.
struct Channel {
  Value full, empty; ///< barriers, one a slot
  SmallVector<PlannedLoad *> loads;
  SmallVector<tgpu::MmaOp> readers;
  uint32_t bytes = 0; ///< of a slot, all loads together
};

/// The slot that an iteration has, and the parity of the phase that it waits for.
struct Turn {
  Value slot, parity;

  /// The next iteration's, of `slots`.
  Turn next(OpBuilder &builder, Location loc, unsigned slots) const {
    auto constant = [&](unsigned value) { return arith::ConstantIntOp::create(builder, loc, value, 32); };
    Value more = arith::AddIOp::create(builder, loc, slot, constant(1));
    Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, more, constant(slots));
    Value other = arith::XOrIOp::create(builder, loc, parity, constant(1));
    return {arith::SelectOp::create(builder, loc, wraps, constant(0), more),
            arith::SelectOp::create(builder, loc, wraps, other, parity)};
  }
};

class Specializer {
public:
  Specializer(scf::ForOp loop, PrefetchPlan &plan)
      : loop(loop), plan(plan), kernel(cast<func::FuncOp>(loop->getParentOp())), rewriter(loop) {}

  void run() {
    findChannels();
    for (Channel &channel : channels)
      makeBarriers(channel);
    SmallVector<Value> maps = makeMaps();
    makeProducer();
    fillChannels(maps);
    dropLoads();
    tgpu::MmaWaitOp flightsEnd =
        plan.flights.empty() ? tgpu::MmaWaitOp() : keepFlying(rewriter, loop, plan.flights);
    readChannels(flightsEnd);
  }

private:
  void findChannels() {
    std::map<unsigned, Channel> byGroup;
    for (PlannedLoad &planned : plan.loads) {
      Channel &channel = byGroup[planned.group];
      channel.loads.push_back(&planned);
      tgpu::BufferType type = planned.buffer.getType();
      channel.bytes += type.getSlotBytes();
      for (const tgpu::BufferRead &read : tgpu::readsOf(planned.buffer))
        channel.readers.push_back(cast<tgpu::MmaOp>(read.op));
      planned.buffer.getResult().setType(
          tgpu::BufferType::get(type.getContext(), plan.stages, type.getTensor(), type.getLayout()));
    }
    for (auto &[group, channel] : byGroup)
      channels.push_back(std::move(channel));
  }

  void makeBarriers(Channel &channel) {
    rewriter.setInsertionPointToStart(&kernel.getBody().front());
    auto make = [&](unsigned arrivals) {
      return tgpu::BarriersOp::create(rewriter, loop.getLoc(),
                                      tgpu::BarriersType::get(rewriter.getContext(), plan.stages, arrivals));
    };
    channel.full = make(1);
    channel.empty = make(kernelOf(kernel).getWarps() / GroupWarps);
  }

  SmallVector<Value> makeMaps() {
    SmallVector<Value> maps;
    for (Channel &channel : channels)
      for (PlannedLoad *planned : channel.loads)
        maps.push_back(createTensorMap(rewriter, planned->ahead.load.getLoc(), kernel, *planned->source));
    return maps;
  }

  /// Behind all that it uses: buffers, maps and barriers, which stand at the start.
  void makeProducer() {
    Operation *last = nullptr;
    for (Operation &op : kernel.getBody().front())
      if (isa<tgpu::AllocOp, tgpu::TensorMapOp, tgpu::BarriersOp>(op))
        last = &op;
    rewriter.setInsertionPointAfter(last);
    for (Channel &channel : channels)
      for (Value barriers : {channel.full, channel.empty})
        tgpu::BarriersInitOp::create(rewriter, loop.getLoc(), barriers);
    producer = tgpu::ProducerOp::create(rewriter, loop.getLoc(), ProducerWarps, DenseI32ArrayAttr());
    producer.getBody().emplaceBlock();
  }

  Value constant(unsigned value) { return arith::ConstantIntOp::create(rewriter, loop.getLoc(), value, 32); }

  void fillChannels(ArrayRef<Value> maps) {
    Location loc = loop.getLoc();
    ScalarSlice slice(producer);
    // What coordinates are made of first: the loop stands behind it.
    IRMapping outside;
    for (Channel &channel : channels)
      for (PlannedLoad *planned : channel.loads)
        for (const BoxAxis &axis : planned->source->box.axes)
          for (Value value : plan.boxes->valuesIn(axis.start))
            outside.map(value, slice.get(value));
    Value lower = slice.get(loop.getLowerBound()), upper = slice.get(loop.getUpperBound()),
          step = slice.get(loop.getStep());
    rewriter.setInsertionPointToEnd(&producer.getBody().front());
    auto ahead = scf::ForOp::create(rewriter, loc, lower, upper, step, ValueRange{constant(0), constant(1)});
    Turn turn{ahead.getRegionIterArg(0), ahead.getRegionIterArg(1)};
    rewriter.setInsertionPointToStart(ahead.getBody());
    const Value *map = maps.begin();
    for (Channel &channel : channels) {
      tgpu::BulkAwaitOp::create(rewriter, loc, channel.empty, turn.slot, turn.parity);
      tgpu::BulkExpectOp::create(rewriter, loc, channel.bytes, channel.full, turn.slot,
                                 /*condition=*/Value());
      for (PlannedLoad *planned : channel.loads) {
        SmallVector<Value> start;
        for (unsigned axis : planned->source->order)
          start.push_back(plan.boxes->valueOf(planned->source->box.axes[axis].start, rewriter,
                                              planned->ahead.load.getLoc(), ahead));
        tgpu::BulkCopyOp::create(rewriter, planned->ahead.load.getLoc(), *map++, start, /*condition=*/Value(),
                                 planned->buffer, turn.slot, channel.full, turn.slot);
      }
    }
    Turn next = turn.next(rewriter, loc, plan.stages);
    scf::YieldOp::create(rewriter, loc, ValueRange{next.slot, next.parity});
    ahead.walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        operand.set(outside.lookupOrDefault(operand.get()));
    });
  }

  void dropLoads() {
    for (PlannedLoad &planned : plan.loads) {
      planned.store.erase();
      planned.ahead.load.erase();
    }
    auto isKept = [](Operation *) { return false; };
    llvm::DenseMap<unsigned, unsigned> kept;
    eraseDead(rewriter, loop, isKept);
    loop = dropIdleCounters(rewriter, loop, kept);
    eraseDead(rewriter, loop, isKept);
  }

  void readChannels(tgpu::MmaWaitOp flightsEnd) {
    Location loc = loop.getLoc();
    rewriter.setInsertionPoint(loop);
    Value zero = constant(0);
    auto yield = [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> arguments) {
      Turn next = Turn{arguments[0], arguments[1]}.next(builder, loc, plan.stages);
      return SmallVector<Value>{next.slot, next.parity};
    };
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(rewriter, {zero, zero},
                                                              /*replaceInitOperandUsesInLoop=*/false, yield));
    ArrayRef<BlockArgument> carried = loop.getRegionIterArgs().take_back(2);
    Turn turn{carried[0], carried[1]};
    for (Channel &channel : channels) {
      auto byPlace = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
      rewriter.setInsertionPoint(*llvm::min_element(channel.readers, byPlace));
      tgpu::BulkAwaitOp::create(rewriter, loc, channel.full, turn.slot, turn.parity);
      for (PlannedLoad *planned : channel.loads)
        for (const tgpu::BufferRead &read : tgpu::readsOf(planned->buffer))
          read.slot->set(turn.slot);
      if (flightsEnd)
        continue;
      SmallVector<Operation *> ends;
      for (tgpu::MmaOp reader : channel.readers)
        ends.push_back(*reader->getUsers().begin()); // the wait
      rewriter.setInsertionPointAfter(*llvm::max_element(ends, byPlace));
      tgpu::BarrierArriveOp::create(rewriter, loc, channel.empty, turn.slot, /*condition=*/Value());
    }
    if (flightsEnd)
      arriveLate(flightsEnd, turn.slot);
  }

  /// Behind the wait for the iteration before, of which the first has none.
  void arriveLate(tgpu::MmaWaitOp flightsEnd, Value slot) {
    Location loc = loop.getLoc();
    rewriter.setInsertionPointAfter(flightsEnd);
    Value isAny = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, loop.getInductionVar(),
                                        loop.getLowerBound());
    Value isFirst = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, slot, constant(0));
    Value less = arith::SubIOp::create(rewriter, loc, slot, constant(1));
    Value before = arith::SelectOp::create(rewriter, loc, isFirst, constant(plan.stages - 1), less);
    for (Channel &channel : channels)
      tgpu::BarrierArriveOp::create(rewriter, loc, channel.empty, before, isAny);
  }

  scf::ForOp loop;
  PrefetchPlan &plan;
  func::FuncOp kernel;
  IRRewriter rewriter;
  SmallVector<Channel, 2> channels;
  tgpu::ProducerOp producer;
};

} // namespace

void specializeLoop(scf::ForOp loop, PrefetchPlan &plan) { Specializer(loop, plan).run(); }

} // namespace tegula
