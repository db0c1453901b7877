#include "runtime/emulator/machine/Block.h"

#include "runtime/emulator/warp/Access.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tegula::runtime::ptx {

/// Mbarriers beyond these share agents: then a wait for one counts as one for the other as well.
static constexpr uint32_t agentsOfBulkLoads = 32;

static Clocks clocksFor(const LaunchContext &launch) {
  const uint32_t groups = GroupProducts::groupsOf(launch.warpsPerBlock());
  Clocks clocks;
  clocks.configure(launch.warpsPerBlock(),
                   groups + (launch.program->module.loadsInBulk ? agentsOfBulkLoads : 0), groups);
  return clocks;
}

Block::Block(LaunchContext &launch)
    : launch(launch), clocks(clocksFor(launch)), shared(clocks, launch.sharedBytes()),
      globals(clocks, launch.watched), asyncCopies(launch.warpsPerBlock()),
      products(launch.warpsPerBlock(), launch.sharedBytes()),
      bulkCopies(launch.warpsPerBlock(), launch.sharedBytes()), mbarriers(launch.warpsPerBlock()),
      registers(launch.warpsPerBlock()), warps(launch.warpsPerBlock()), handedOut(clocks.emptyClock()) {
  ready.reserve(warps.size());
}

void Block::begin(std::array<uint32_t, 3> blockIndex, BlockRaces::BlockNumber number) {
  index = blockIndex;
  sequence = number;
  if (!clocks.beginBlock()) {
    shared.forgetAccesses();
    globals.forgetAccesses();
    clocks.restart();
    (void)clocks.beginBlock(); // what the old marks became is of an earlier block
  }
  shared.beginBlock();
  globals.beginBlock();
  launch.blockRaces.beginBlock();
  asyncCopies.beginBlock();
  products.beginBlock();
  bulkCopies.beginBlock();
  mbarriers.beginBlock();
  registers.beginBlock();
  if (!strongClocks.empty())
    strongClocks.clear();
  std::fill(handedOut.begin(), handedOut.end(), clocks.blockStart());
  unwritten.clear();
  sawOthers = afterOthers = sampled = wasPolled = false;
  forLanes(usedBarriers, [&](uint32_t i) { barriers[i] = {}; });
  usedBarriers = 0;
  for (uint32_t i = 0; i < warps.size(); ++i) {
    const uint32_t threads = std::min<uint32_t>(lanes, launch.threads - i * lanes);
    warps[i].begin(*this, i, *launch.entry, uint32_t(lowMask(threads)));
  }
  random = Random(launch.seed ^ (uint64_t(index[0]) << 40 ^ uint64_t(index[1]) << 20 ^ index[2]));
  ranks.clear();
  for (size_t i = 0; launch.seed && i < warps.size(); ++i)
    ranks.push_back(random.next());
}

/// With a seed half the turns go to the ready warp of the highest rank: some run far ahead of the others.
uint32_t Block::pickWarp() {
  if (ranks.empty() || random.below(2))
    return ready[random.below(ready.size())];
  return *std::max_element(ready.begin(), ready.end(),
                           [&](uint32_t a, uint32_t b) { return ranks[a] < ranks[b]; });
}

bool Block::takeTurn() {
  Warp &warp = warps[pickWarp()];
  if (launch.instructionsLeft == 0) {
    warp.fault(wholeWarp,
               fmt::format("the kernel did not end within {} instructions", launch.instructionLimit));
    return false;
  }
  // Alone there is nobody to interleave with.
  const uint64_t quantum = ready.size() == 1 ? 4096 : 1 + random.below(uint64_t(1) << random.below(10));
  launch.spins.runs(warp.watch);
  warp.run(std::min(quantum, launch.instructionsLeft));
  return launch.fault.empty();
}

/// In the natural order loads come as late as the program allows: when a warp asks for one in vain, or none
/// can go on. With a seed they come at any time and in any order.
bool Block::landCopies() {
  const bool must = std::exchange(wasPolled, false) || ready.empty();
  if (bulkCopies.loadsUnderWay() && (must || chance(4)))
    bulkCopies.land(*this, launch.seed ? &random : nullptr);
  return launch.fault.empty();
}

bool Block::timeOut() {
  bool any = false;
  for (Warp &warp : warps)
    if (warp.state == Warp::State::Waiting && warp.rests == Warp::Rest::Mbarrier) {
      warp.state = Warp::State::Ready;
      warp.timesOut = any = true;
    }
  return any;
}

void Block::rest(Warp &warp, Warp::Rest what, uint32_t at) {
  warp.state = Warp::State::Waiting;
  warp.rests = what;
  warp.waitingAt = at;
  warp.waitingInst = warp.current;
  --warp.pc;
}

void Block::wake(Warp::Rest what, uint32_t at) {
  for (Warp &warp : warps)
    if (warp.state == Warp::State::Waiting && warp.rests == what && warp.waitingAt == at)
      warp.state = Warp::State::Ready;
}

uint32_t Block::nextMoment(uint32_t agent) {
  if (!clocks.tickAgent(agent)) {
    restartClocks();
    (void)clocks.tickAgent(agent);
  }
  return clocks.agentMoment(agent);
}

Block::Outcome Block::run(uint64_t turns) {
  for (; turns; --turns) {
    // To look at the clock before each turn would be a hundredth of the time.
    if (turns % 64 == 0 && launch.interruption.isRequested())
      return Outcome::Interrupted;
    ready.clear();
    bool done = true;
    for (uint32_t i = 0; i < warps.size(); ++i) {
      if (warps[i].state == Warp::State::Ready)
        ready.push_back(i);
      done &= warps[i].state == Warp::State::Done;
    }
    if (done) {
      faultUnwritten();
      if (launch.fault.empty())
        products.reportAbsent(*this);
      if (launch.fault.empty())
        bulkCopies.endBlock(*this);
      if (launch.fault.empty())
        mbarriers.endBlock(*this);
      return launch.fault.empty() ? Outcome::Ended : Outcome::Fault;
    }
    const bool mayLand = bulkCopies.loadsUnderWay();
    if (!landCopies())
      return Outcome::Fault;
    if (ready.empty()) {
      // More copies, or whom the last one has woken, come first.
      if (mayLand || timeOut())
        continue;
      products.reportAbsent(*this);
      if (launch.fault.empty())
        reportDeadlock();
      return Outcome::Fault;
    }
    if (!takeTurn())
      return Outcome::Fault;
    if (std::exchange(sampled, false) && seemsStuck())
      return Outcome::Waits;
  }
  return Outcome::Ran;
}

void Block::sample(Warp &warp, const Inst &jump) {
  launch.spins.sample(warp, jump);
  sampled = true;
}

bool Block::seemsStuck() const {
  // Without a warp that can run the block has ended, or is in a deadlock of its own.
  bool goesRound = false;
  for (const Warp &warp : warps) {
    if (!warp.mayRun())
      continue;
    if (!launch.spins.seemsStuck(warp))
      return false;
    goesRound = true;
  }
  return goesRound;
}

void Block::warpEnded(Warp &) {
  for (uint32_t number = 0; number < barriers.size(); ++number)
    if (barriers[number].arrivedWarps)
      tryComplete(number);
}

uint32_t Block::liveThreads() const {
  uint32_t threads = 0;
  for (const Warp &warp : warps)
    threads += uint32_t(std::popcount(warp.live));
  return threads;
}

void Block::arrive(Warp &warp, const Inst &inst, uint32_t number, uint32_t threads, bool waits) {
  Barrier &barrier = barriers[number];
  usedBarriers |= 1u << number;
  if (warp.mask != warp.live) {
    warp.fault(wholeWarp,
               fmt::format("reached by part of the warp: lanes {:#010x} of {:#010x}", warp.mask, warp.live));
    return;
  }
  if (barrier.arrivedWarps && barrier.expected != threads) {
    warp.fault(wholeWarp, fmt::format("barrier {} expects {} threads, found an arrival for {}", number,
                                      barrier.expected, threads));
    return;
  }
  if (barrier.arrivedWarps >> warp.index & 1) {
    warp.fault(wholeWarp, fmt::format("the warp arrives twice at barrier {}", number));
    return;
  }
  if (!barrier.arrivedWarps) {
    barrier.expected = threads;
    barrier.clock = clocks.emptyClock();
  }
  barrier.arrivedWarps |= 1u << warp.index;
  barrier.arrivedThreads += threads ? lanes : uint32_t(std::popcount(warp.live));
  clocks.release(warp.index, barrier.clock);
  if (waits) {
    barrier.waiting |= 1u << warp.index;
    warp.state = Warp::State::Waiting;
    warp.rests = Warp::Rest::Barrier;
    warp.waitingAt = number;
    warp.waitingInst = &inst;
  }
  tick(warp);
  tryComplete(number);
}

void Block::tryComplete(uint32_t number) {
  Barrier &barrier = barriers[number];
  const uint32_t expected = barrier.expected ? barrier.expected : liveThreads();
  if (barrier.arrivedThreads < expected)
    return;
  finishReduction(barrier);
  const Barrier done = std::move(barrier);
  barrier = {};
  forLanes(done.waiting, [&](uint32_t i) {
    clocks.acquire(i, done.clock);
    warps[i].state = Warp::State::Ready;
    warps[i].waitingInst = nullptr;
  });
}

/// The results of bar.red: every waiting warp gets the operator over all waiting threads' predicates.
void Block::finishReduction(Barrier &barrier) {
  uint32_t count = 0, threads = 0;
  forLanes(barrier.waiting, [&](uint32_t i) {
    count += uint32_t(std::popcount(warps[i].barrierPredicate & warps[i].live));
    threads += uint32_t(std::popcount(warps[i].live));
  });
  forLanes(barrier.waiting, [&](uint32_t i) {
    Warp &warp = warps[i];
    const Inst &inst = *warp.waitingInst;
    if (!inst.has(FlagReturns))
      return;
    warp.mask = warp.live;
    if (inst.combine == 0) {
      forLanes(warp.mask, [&](uint32_t lane) { warp.set(inst.dst, lane, count); });
    } else {
      const bool value = inst.combine == 1 ? count == threads : count != 0;
      warp.setPredicate(inst.dst, value ? ~0u : 0u, ~0u);
    }
  });
}

void Block::tick(const Warp &warp) {
  if (!clocks.tick(warp.index))
    restartClocks();
}

void Block::restartClocks() {
  shared.forgetAccesses();
  globals.forgetAccesses();
  clocks.restart();
  std::fill(handedOut.begin(), handedOut.end(), clocks.blockStart());
}

void Block::learnFromOthers(Warp &warp) {
  afterOthers = true;
  clocks.acquire(warp.index, handedOut);
}

void Block::synchronizeAt(Warp &warp, const Inst &inst, const Target &target, bool reads, bool writes) {
  const bool acquires = inst.has(FlagAcquire), releases = inst.has(FlagRelease);
  const bool global = target.space == Space::Global;
  const uint64_t address = target.offset + (global ? target.allocation->base : 0);
  if (reads) {
    if (const auto place = strongClocks.find(address); place != strongClocks.end())
      clocks.readStrong(warp.index, place->second, acquires);
    if (global && launch.blockRaces.releasedByOther(sequence, address)) {
      sawOthers = true;
      if (acquires)
        learnFromOthers(warp);
    }
  }
  if (!writes || !clocks.handsOn(warp.index, releases))
    return;
  auto [place, fresh] = strongClocks.try_emplace(address);
  if (fresh)
    place->second = clocks.emptyClock();
  clocks.writeStrong(warp.index, place->second, releases);
  if (!global)
    return;
  launch.blockRaces.release(sequence, address);
  clocks.writeStrong(warp.index, handedOut, releases);
}

void Block::fence(Warp &warp) {
  clocks.fence(warp.index);
  if (sawOthers)
    learnFromOthers(warp);
  tick(warp);
}

Conflict Block::writeGlobal(const Access &access, uint64_t address, uint32_t count, const uint8_t *old,
                            const uint8_t *values) {
  const Conflict between = launch.blockCount() == 1 ? Conflict{}
                                                    : launch.blockRaces.write(access, sequence, afterOthers,
                                                                              address, count, old, values);
  return between.found ? between : globals.write(access, address, count, old, values);
}

uint64_t Block::specialValue(Special which, uint32_t warp, uint32_t lane) const {
  switch (which) {
  case Special::TidX:
    return warp * lanes + lane;
  case Special::NtidX:
    return launch.threads;
  case Special::CtaidX:
    return index[0];
  case Special::CtaidY:
    return index[1];
  case Special::CtaidZ:
    return index[2];
  case Special::NctaidX:
    return launch.grid.x;
  case Special::NctaidY:
    return launch.grid.y;
  case Special::NctaidZ:
    return launch.grid.z;
  case Special::LaneId:
    return lane;
  case Special::WarpId:
    return warp;
  case Special::NwarpId:
    return warps.size();
  case Special::NtidY:
  case Special::NtidZ:
  case Special::NsmId:
  case Special::ClusterNctaidX:
  case Special::ClusterNctaidY:
  case Special::ClusterNctaidZ:
  case Special::ClusterNctarank:
    return 1;
  case Special::LanemaskEq:
    return uint32_t(1) << lane;
  case Special::LanemaskLe:
    return uint32_t(lowMask(lane + 1));
  case Special::LanemaskLt:
    return uint32_t(lowMask(lane));
  case Special::LanemaskGe:
    return uint32_t(~lowMask(lane));
  case Special::LanemaskGt:
    return uint32_t(~lowMask(lane + 1));
  case Special::DynamicSmemSize:
    return launch.dynamicShared;
  case Special::TotalSmemSize:
    return shared.size();
  default:
    return 0;
  }
}

} // namespace tegula::runtime::ptx
