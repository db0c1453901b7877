#include "compiler/schedule/WarpSpecializer.h"

#include "compiler/analysis/Executor.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/RegisterLimit.h"
#include "compiler/analysis/ScratchBytes.h"
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

constexpr unsigned GroupWarps = 4; ///< whose products are done together, and who hand registers over together

/// With fewer, several blocks share a multiprocessor and hide the same from each other.
constexpr unsigned LeastWarps = 8;

/// Of what `estimateRegisters` adds to what it counts: addresses of copies and counters, which the others no
/// longer have. A 128 by 256 product of 8 warps takes 154 registers beside a producer, 128 of them sums.
constexpr uint32_t RegistersOfCopies = 16;

/// By so many registers at least the assembler stays below `estimateRegisters` (29 to 74 for products and
/// attention). Attention of 128 by 128 with heads of 64, estimated at 156, takes 127: two blocks share a
/// multiprocessor, and one alone with a producer has 0.95 of their rate.
constexpr uint32_t Overestimated = 29;

/// What a thread needs that only starts copies: the least that there is.
constexpr uint32_t RegistersOfProducer = 24;
/// That are handed over: with more the assembler has been seen to refuse.
constexpr uint32_t MostRegisters = 240;
constexpr uint32_t RegisterStep = 8; ///< by which they are

//===----------------------------------------------------------------------===//
// What the producer computes by itself
//===----------------------------------------------------------------------===//

/// Whether a thread alone can compute what `op` does, again and at any time.
bool isScalarOp(Operation *op) {
  auto isScalar = [](Type type) { return !isa<ShapedType, tgpu::FlyingType>(type); };
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperandTypes(), isScalar) && llvm::all_of(op->getResultTypes(), isScalar);
}

/// The loops round `loop`, the outermost first; nothing where it stands in anything else.
std::optional<SmallVector<scf::ForOp>> loopsRound(scf::ForOp loop) {
  SmallVector<scf::ForOp> round;
  for (Operation *parent = loop->getParentOp(); !isa<func::FuncOp>(parent); parent = parent->getParentOp()) {
    auto outer = dyn_cast<scf::ForOp>(parent);
    if (!outer || outer.getUnsignedCmp())
      return std::nullopt;
    round.insert(round.begin(), outer);
  }
  return round;
}

/// The op of the kernel's own block that `loop` is or stands in.
Operation *outermostOf(scf::ForOp loop) {
  Operation *op = loop;
  while (!isa<func::FuncOp>(op->getParentOp()))
    op = op->getParentOp();
  return op;
}

/// Scalars, computed again by the producer: in its body, or in its copies of loops.
class ScalarSlice {
public:
  /// Whether `value`, from outside of a loop, can be had without memory, without other threads and without
  /// what the loops round it carry.
  static bool canCompute(Value value) {
    SmallVector<Value> values{value};
    llvm::DenseSet<Value> seen;
    while (!values.empty()) {
      Value next = values.pop_back_val();
      if (!seen.insert(next).second)
        continue;
      if (auto argument = dyn_cast<BlockArgument>(next)) {
        auto outer = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
        if (!isa<func::FuncOp>(argument.getOwner()->getParentOp()) &&
            (!outer || outer.getInductionVar() != argument))
          return false;
        continue;
      }
      Operation *op = next.getDefiningOp();
      if (!isa<func::FuncOp, scf::ForOp>(op->getParentOp()) || !isScalarOp(op))
        return false;
      llvm::append_range(values, op->getOperands());
    }
    return true;
  }

  /// What stands in `from` is computed at the end of `to`.
  void add(Block *from, Block *to) { places[from] = {to, nullptr}; }
  /// `copy`, at the end of the place of `loop`, is its copy.
  void add(scf::ForOp loop, scf::ForOp copy) {
    places[loop->getBlock()].second = copy;
    add(loop.getBody(), copy.getBody());
    copies.map(loop.getInductionVar(), copy.getInductionVar());
  }

  Value get(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return copies.lookupOrDefault(value);
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
      if (copies.contains(next->getResult(0)))
        continue;
      auto [block, end] = places.at(next->getBlock());
      OpBuilder builder = end ? OpBuilder(end) : OpBuilder::atBlockEnd(block);
      builder.clone(*next, copies);
    }
    return copies.lookup(value);
  }

private:
  llvm::DenseMap<Block *, std::pair<Block *, Operation *>> places; ///< a block and, perhaps, an op before
                                                                   ///< whose place its end is
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
    else if (isa<tile::LoadOp, tile::AtomicRMWOp, tile::AtomicCASOp>(op) &&
             op->getParentOfType<scf::WhileOp>())
      why = "a `while` of the kernel may wait for other programs";
  });
  return why;
}

/// The loads of `plan` by the group that each is waited for in.
std::vector<std::vector<const PlannedLoad *>> loadsByGroup(const PrefetchPlan &plan) {
  std::map<unsigned, std::vector<const PlannedLoad *>> groups;
  for (const PlannedLoad &planned : plan.loads)
    groups[planned.group].push_back(&planned);
  std::vector<std::vector<const PlannedLoad *>> loads;
  for (auto &[group, members] : groups)
    loads.push_back(std::move(members));
  return loads;
}

/// Whether what `plan` loads fits into the slots of the loops before.
bool fits(const PrefetchPlan &plan, const SpecializedLoops &before) {
  std::vector<std::vector<const PlannedLoad *>> loads = loadsByGroup(plan);
  if (loads.size() != before.channels.size() || plan.stages != before.slots)
    return false;
  for (auto [group, channel] : llvm::zip_equal(loads, before.channels)) {
    if (group.size() != channel.buffers.size())
      return false;
    for (auto [planned, buffer] : llvm::zip_equal(group, channel.buffers)) {
      tgpu::AllocOp own = planned->buffer;
      tgpu::BufferType there = tgpu::AllocOp(buffer).getType(), here = own.getType();
      if (here.getTensor() != there.getTensor() || here.getLayout() != there.getLayout())
        return false;
    }
  }
  return true;
}

/// Bytes of shared memory while the loop runs, when its buffers are in use from the kernel's start on.
uint64_t bytesFromStart(scf::ForOp loop, const PrefetchPlan &plan) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  Operation *outermost = outermostOf(loop);
  llvm::SmallPtrSet<Operation *, 4> own;
  uint64_t bytes = 0, scratch = 0;
  for (const PlannedLoad &planned : plan.loads) {
    own.insert(planned.buffer);
    bytes += uint64_t(tgpu::AllocOp(planned.buffer).getType().getSlotBytes()) * plan.stages;
  }
  Scratches scratches(kernel);
  for (Operation &top : kernel.getBody().front()) {
    if (&top != outermost && outermost->isBeforeInBlock(&top))
      break;
    top.walk([&](Operation *op) {
      if (auto alloc = dyn_cast<tgpu::AllocOp>(op)) {
        bool isUsed = llvm::any_of(alloc->getUsers(), [&](Operation *user) {
          Operation *at = kernel.getBody().front().findAncestorOpInBlock(*user);
          return at == outermost || at->isBeforeInBlock(outermost);
        });
        bytes += isUsed && !own.contains(op) ? alloc.getType().getBytes() : 0;
      } else if (Scratch needed = scratches.of(op); !needed.isBuffer) {
        scratch = std::max(scratch, needed.bytes);
      }
    });
  }
  constexpr uint64_t ForAlignment = 1024; // and for barriers
  return bytes + scratch + ForAlignment;
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
      if (!product || !endsInLoop(product, plan))
        return "what a load brings is read by other than products that the loop waits for";
    }
    for (const BoxAxis &axis : planned.source->box.axes)
      if (!llvm::all_of(plan.boxes->valuesIn(axis.start), ScalarSlice::canCompute))
        return "where a load reads depends on memory or on what threads compute together";
  }
  SmallVector<scf::ForOp> all = *loopsRound(loop);
  all.push_back(loop);
  for (scf::ForOp each : all)
    for (Value bound : {each.getLowerBound(), each.getUpperBound(), each.getStep()})
      if (!ScalarSlice::canCompute(bound))
        return "how often it runs depends on memory or on what threads compute together";
  return {};
}

/// Why the loads of `loop` cannot be given away; empty where they can.
std::string obstacleOf(scf::ForOp loop, const PrefetchPlan &plan, const SpecializedLoops &before) {
  if (!plan.has(Waiting::Bulk))
    return "no load is by the bulk copy engine";
  if (!mayUse(loop, Feature::Specialize))
    return "the compilation is told to do without (`specialize`)";
  auto kernel = loop->getParentOfType<func::FuncOp>();
  std::optional<SmallVector<scf::ForOp>> round = loopsRound(loop);
  if (!round)
    return "it stands in a branch, or in a loop that does not count";
  if (StringRef why = whyNotBeside(kernel); !why.empty())
    return why.str();
  if (StringRef why = whyNotByLoads(loop, plan); !why.empty())
    return why.str();
  if (before.producer && (before.isNested || !round->empty()))
    return "another loop of the kernel has the warps that only load, and one of the two stands in others";
  if (before.producer)
    return fits(plan, before) ? ""
                              : "another loop of the kernel has the warps that only load, and other buffers";
  const uint64_t bytes = bytesFromStart(loop, plan), most = targetOf(loop)->maxSharedPerBlock;
  if (bytes > most)
    return llvm::formatv(
        "its buffers would be in use from the kernel's start on: {0} bytes of shared memory, "
        "expected at most {1}",
        bytes, most);
  return {};
}

/// How many blocks of `warps` warps share a multiprocessor, as far as shared memory and `registers` allow; at
/// least one.
unsigned residentBlocks(unsigned warps, uint32_t registers, uint64_t sharedBytes, const Target &target) {
  unsigned blocks = 1;
  while ((blocks + 1) * sharedBytes <= target.sharedPerMultiprocessor &&
         registersWithWarps((blocks + 1) * warps, target) >= registers)
    ++blocks;
  return blocks;
}

} // namespace

Specialization planSpecialization(scf::ForOp loop, const PrefetchPlan &plan, const SpecializedLoops &before,
                                  bool isAsked) {
  Specialization how;
  how.obstacle = obstacleOf(loop, plan, before);
  if (!how.obstacle.empty())
    return how;
  const Target &target = *targetOf(loop);
  const unsigned warps = kernelOf(loop).getWarps();
  const uint32_t estimate = estimateRegisters(loop, [](Value) { return false; }),
                 needed = estimate - RegistersOfCopies;
  if (!isAsked && warps < LeastWarps) {
    how.obstacle = llvm::formatv("with {0} warps, blocks that share a multiprocessor hide the same", warps);
    return how;
  }
  // Who keeps it to themselves, with the registers that all have; and who shares it, with fewer.
  const unsigned blocks = residentBlocks(warps, estimate - Overestimated, plan.sharedBytes, target);
  if (needed <= registersWithWarps(blocks * (warps + how.warps), target))
    return how;
  if (blocks > 1 && !isAsked) {
    how.obstacle = llvm::formatv("fewer than {0} blocks of {1} warps would share a multiprocessor", blocks,
                                 warps + how.warps);
    return how;
  }
  const uint32_t withOne = registersWithWarps(warps + how.warps, target);
  if (needed <= withOne)
    return how;
  // What a block begins with, as much for each warp, is all that there is to hand over.
  const unsigned all = warps + GroupWarps;
  const uint32_t each = registersWithWarps(all, target) / RegisterStep * RegisterStep,
                 ofPart = each * (all / GroupWarps),
                 left = (ofPart - RegistersOfProducer) / (warps / GroupWarps) / RegisterStep * RegisterStep,
                 others = std::min(left, MostRegisters);
  const bool mayHand = others > each && !loop->getParentOfType<func::FuncOp>()->hasAttr("tile.registers");
  if (!isAsked && (!mayHand || needed > others)) {
    how.obstacle = llvm::formatv("it needs {0} registers a thread, and with {1} warps more there are {2}",
                                 needed, how.warps, withOne);
    return how;
  }
  if (mayHand) {
    how.warps = GroupWarps;
    how.registers = {int32_t(RegistersOfProducer), int32_t(others)};
  }
  return how;
}

//===----------------------------------------------------------------------===//
// How
//===----------------------------------------------------------------------===//

namespace {

/// The turn after `turn`, of `slots`.
Turn nextTurn(const Turn &turn, OpBuilder &builder, Location loc, unsigned slots) {
  auto constant = [&](unsigned value) { return arith::ConstantIntOp::create(builder, loc, value, 32); };
  Value more = arith::AddIOp::create(builder, loc, turn.slot, constant(1));
  Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, more, constant(slots));
  Value other = arith::XOrIOp::create(builder, loc, turn.parity, constant(1));
  return {arith::SelectOp::create(builder, loc, wraps, constant(0), more),
          arith::SelectOp::create(builder, loc, wraps, other, turn.parity)};
}

/// The slot before `slot`.
Value slotBefore(Value slot, OpBuilder &builder, Location loc, unsigned slots) {
  auto constant = [&](unsigned value) { return arith::ConstantIntOp::create(builder, loc, value, 32); };
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, slot, constant(0));
  Value less = arith::SubIOp::create(builder, loc, slot, constant(1));
  return arith::SelectOp::create(builder, loc, isFirst, constant(slots - 1), less);
}

class Specializer {
public:
  Specializer(scf::ForOp loop, PrefetchPlan &plan, const Specialization &how, SpecializedLoops &loops)
      : loop(loop), plan(plan), how(how), loops(loops), kernel(loop->getParentOfType<func::FuncOp>()),
        round(*loopsRound(loop)), rewriter(loop) {}

  void run() {
    findLoads();
    SmallVector<Value> maps = makeMaps();
    if (!loops.producer) {
      makeChannels();
      makeProducer();
    } else {
      joinChannels();
    }
    setWarps();
    fillChannels(maps);
    dropLoads();
    tgpu::MmaWaitOp flightsEnd =
        plan.flights.empty() ? tgpu::MmaWaitOp() : keepFlying(rewriter, loop, plan.flights);
    readChannels(flightsEnd);
  }

private:
  /// The loads of one channel, and what reads their slots.
  struct Group {
    SmallVector<PlannedLoad *> loads;
    SmallVector<tgpu::MmaOp> readers;
    SmallVector<OpOperand *> slots;
    uint32_t bytes = 0; ///< of a slot, all loads together
  };

  void findLoads() {
    std::map<unsigned, Group> byGroup;
    for (PlannedLoad &planned : plan.loads) {
      Group &group = byGroup[planned.group];
      group.loads.push_back(&planned);
      group.bytes += planned.buffer.getType().getSlotBytes();
      for (const tgpu::BufferRead &read : tgpu::readsOf(planned.buffer)) {
        group.readers.push_back(cast<tgpu::MmaOp>(read.op));
        group.slots.push_back(read.slot);
      }
    }
    for (auto &[number, group] : byGroup)
      groups.push_back(std::move(group));
  }

  void makeChannels() {
    loops.slots = plan.stages;
    for (Group &group : groups) {
      Channel &channel = loops.channels.emplace_back();
      rewriter.setInsertionPointToStart(&kernel.getBody().front());
      auto make = [&](unsigned arrivals) {
        return tgpu::BarriersOp::create(
            rewriter, loop.getLoc(), tgpu::BarriersType::get(rewriter.getContext(), plan.stages, arrivals));
      };
      channel.full = make(1);
      channel.empty = make(kernelOf(kernel).getWarps() / GroupWarps);
      for (PlannedLoad *planned : group.loads) {
        tgpu::BufferType type = planned->buffer.getType();
        planned->buffer.getResult().setType(
            tgpu::BufferType::get(type.getContext(), plan.stages, type.getTensor(), type.getLayout()));
        channel.buffers.push_back(planned->buffer);
      }
    }
  }

  /// The loop goes on with the slots of the one before, whose last may still have to be given back.
  void joinChannels() {
    for (auto [group, channel] : llvm::zip_equal(groups, loops.channels))
      for (auto [planned, buffer] : llvm::zip_equal(group.loads, channel.buffers)) {
        rewriter.replaceOp(planned->buffer, tgpu::AllocOp(buffer).getResult());
        planned->buffer = buffer;
      }
    if (loops.hasRun)
      giveLastBack();
  }

  SmallVector<Value> makeMaps() {
    SmallVector<Value> maps;
    for (Group &group : groups)
      for (PlannedLoad *planned : group.loads)
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
    for (Channel &channel : loops.channels)
      for (Value barriers : {channel.full, channel.empty})
        tgpu::BarriersInitOp::create(rewriter, loop.getLoc(), barriers);
    loops.producer = tgpu::ProducerOp::create(rewriter, loop.getLoc(), how.warps, DenseI32ArrayAttr());
    rewriter.setInsertionPointToEnd(&loops.producer.getBody().emplaceBlock());
    loops.filled = {constant(0), constant(1)};
    loops.isNested = !round.empty();
    rewriter.setInsertionPoint(outermostOf(loop));
    Value zero = constant(0);
    loops.read = {zero, zero};
  }

  /// What the loop that asks for most asks for.
  void setWarps() {
    if (!how.registers)
      return;
    loops.producer.setWarps(how.warps);
    loops.producer.setRegisters(ArrayRef<int32_t>{how.registers->first, how.registers->second});
    // Else the assembler takes no notice of registers that are handed over.
    kernel->setAttr("tile.residency", tile::ResidencyAttr::get(kernel.getContext(), 1));
  }

  Value constant(unsigned value) { return arith::ConstantIntOp::create(rewriter, loop.getLoc(), value, 32); }

  void fillChannels(ArrayRef<Value> maps) {
    Location loc = loop.getLoc();
    ScalarSlice slice;
    Block *at = &loops.producer.getBody().front();
    slice.add(&kernel.getBody().front(), at);
    Turn turn = loops.filled;
    SmallVector<scf::ForOp> made;
    auto copyLoop = [&](scf::ForOp from) {
      Value lower = slice.get(from.getLowerBound()), upper = slice.get(from.getUpperBound()),
            step = slice.get(from.getStep());
      rewriter.setInsertionPointToEnd(at);
      auto copy =
          scf::ForOp::create(rewriter, from.getLoc(), lower, upper, step, ValueRange{turn.slot, turn.parity});
      slice.add(from, copy);
      at = copy.getBody();
      turn = {copy.getRegionIterArg(0), copy.getRegionIterArg(1)};
      made.push_back(copy);
    };
    for (scf::ForOp outer : round)
      copyLoop(outer);
    // What coordinates are made of first: the loop stands behind it.
    IRMapping outside;
    for (Group &group : groups)
      for (PlannedLoad *planned : group.loads)
        for (const BoxAxis &axis : planned->source->box.axes)
          for (Value value : plan.boxes->valuesIn(axis.start))
            outside.map(value, slice.get(value));
    copyLoop(loop);
    scf::ForOp ahead = made.back();
    rewriter.setInsertionPointToStart(ahead.getBody());
    const Value *map = maps.begin();
    for (auto [group, channel] : llvm::zip_equal(groups, loops.channels)) {
      tgpu::BulkAwaitOp::create(rewriter, loc, channel.empty, turn.slot, turn.parity);
      tgpu::BulkExpectOp::create(rewriter, loc, group.bytes, channel.full, turn.slot, /*condition=*/Value());
      for (PlannedLoad *planned : group.loads) {
        SmallVector<Value> start;
        for (unsigned axis : planned->source->order)
          start.push_back(plan.boxes->valueOf(planned->source->box.axes[axis].start, rewriter,
                                              planned->ahead.load.getLoc(), ahead));
        tgpu::BulkCopyOp::create(rewriter, planned->ahead.load.getLoc(), *map++, start, /*condition=*/Value(),
                                 planned->buffer, turn.slot, channel.full, turn.slot);
      }
    }
    Turn next = nextTurn(turn, rewriter, loc, plan.stages);
    scf::YieldOp::create(rewriter, loc, ValueRange{next.slot, next.parity});
    ahead.walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        operand.set(outside.lookupOrDefault(operand.get()));
    });
    for (unsigned depth = unsigned(made.size()) - 1; depth > 0; --depth) {
      rewriter.setInsertionPointToEnd(made[depth - 1].getBody());
      scf::YieldOp::create(rewriter, loc, made[depth].getResults());
    }
    loops.filled = {made.front().getResult(0), made.front().getResult(1)};
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
    auto yield = [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> arguments) {
      Turn next = nextTurn({arguments[0], arguments[1]}, builder, loc, plan.stages);
      return SmallVector<Value>{next.slot, next.parity};
    };
    Turn begin = carryRound();
    rewriter.setInsertionPoint(loop);
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(rewriter, {begin.slot, begin.parity},
                                                              /*replaceInitOperandUsesInLoop=*/false, yield));
    ArrayRef<BlockArgument> carried = loop.getRegionIterArgs().take_back(2);
    Turn turn{carried[0], carried[1]};
    ResultRange left = loop.getResults().take_back(2);
    loops.read = {left[0], left[1]};
    handRound(left);
    loops.last = loop;
    loops.hasRun = {};
    for (auto [group, channel] : llvm::zip_equal(groups, loops.channels)) {
      auto byPlace = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
      rewriter.setInsertionPoint(*llvm::min_element(group.readers, byPlace));
      tgpu::BulkAwaitOp::create(rewriter, loc, channel.full, turn.slot, turn.parity);
      for (OpOperand *slot : group.slots)
        slot->set(turn.slot);
      if (flightsEnd)
        continue;
      SmallVector<Operation *> ends;
      for (tgpu::MmaOp reader : group.readers)
        ends.push_back(*reader->getUsers().begin()); // the wait
      rewriter.setInsertionPointAfter(*llvm::max_element(ends, byPlace));
      tgpu::BarrierArriveOp::create(rewriter, loc, channel.empty, turn.slot, /*condition=*/Value());
    }
    if (flightsEnd)
      arriveLate(flightsEnd, turn.slot);
  }

  /// Loops round this one carry the turn; that of the innermost.
  Turn carryRound() {
    Turn turn = loops.read;
    for (scf::ForOp &outer : round) {
      auto asItIs = [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
        return SmallVector<Value>(arguments.begin(), arguments.end());
      };
      Operation *before = outer;
      rewriter.setInsertionPoint(outer);
      outer = cast<scf::ForOp>(*outer.replaceWithAdditionalYields(
          rewriter, {turn.slot, turn.parity}, /*replaceInitOperandUsesInLoop=*/false, asItIs));
      loops.around[before] = outer;
      ArrayRef<BlockArgument> carried = outer.getRegionIterArgs().take_back(2);
      turn = {carried[0], carried[1]};
    }
    return turn;
  }

  /// What comes out of a loop the one round it hands on, in place of what it began with.
  void handRound(ValueRange left) {
    for (scf::ForOp outer : llvm::reverse(round)) {
      outer.getBody()->getTerminator()->setOperands(outer.getNumRegionIterArgs() - 2, 2, left);
      left = outer.getResults().take_back(2);
    }
  }

  /// Behind the wait for the iteration before, of which the first has none. What the last has read is known
  /// behind the wait behind the loop.
  void arriveLate(tgpu::MmaWaitOp flightsEnd, Value slot) {
    Location loc = loop.getLoc();
    rewriter.setInsertionPointAfter(flightsEnd);
    Value isAny = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, loop.getInductionVar(),
                                        loop.getLowerBound());
    Value before = slotBefore(slot, rewriter, loc, plan.stages);
    for (Channel &channel : loops.channels)
      tgpu::BarrierArriveOp::create(rewriter, loc, channel.empty, before, isAny);
    loops.last = loop->getNextNode();
    while (!isa<tgpu::MmaWaitOp>(loops.last))
      loops.last = loops.last->getNextNode();
    rewriter.setInsertionPointAfter(loops.last);
    loops.hasRun = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, loop.getLowerBound(),
                                         loop.getUpperBound());
    loops.last = loops.hasRun.getDefiningOp();
    // Round a loop it is given back for the next time; behind the kernel's last loop nobody asks for it.
    if (!round.empty())
      giveLastBack();
  }

  void giveLastBack() {
    Location loc = loop.getLoc();
    rewriter.setInsertionPointAfter(loops.last);
    Value slot = slotBefore(loops.read.slot, rewriter, loc, loops.slots);
    for (Channel &channel : loops.channels)
      tgpu::BarrierArriveOp::create(rewriter, loc, channel.empty, slot, loops.hasRun);
  }

  scf::ForOp loop;
  PrefetchPlan &plan;
  const Specialization &how;
  SpecializedLoops &loops;
  func::FuncOp kernel;
  SmallVector<scf::ForOp> round; ///< the loops that it stands in, the outermost first
  IRRewriter rewriter;
  SmallVector<Group, 2> groups;
};

} // namespace

void specializeLoop(scf::ForOp loop, PrefetchPlan &plan, const Specialization &how,
                    SpecializedLoops &before) {
  Specializer(loop, plan, how, before).run();
}

} // namespace tegula
