#include "runtime/emulator/Block.h"

#include "runtime/emulator/Access.h"
#include "runtime/emulator/SpinDetector.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tegula::runtime::ptx {

static uint32_t warpsOf(uint32_t threads) { return (threads + lanes - 1) / lanes; }

static Clocks clocksFor(uint32_t warps) {
  Clocks clocks;
  clocks.configure(warps);
  return clocks;
}

Block::Block(LaunchContext &launch)
    : launch(launch), clocks(clocksFor(warpsOf(launch.threads))),
      shared(clocks, launch.program->module.sharedBytes + launch.dynamicShared), globals(clocks),
      warps(warpsOf(launch.threads)) {}

/// With a seed half the turns go to the ready warp of the highest rank: some run far ahead of the others.
static uint32_t pickWarp(const std::vector<uint32_t> &ready, const std::vector<uint64_t> &ranks, bool byRank,
                         Random &random) {
  if (!byRank || random.below(2))
    return ready[random.below(ready.size())];
  return *std::max_element(ready.begin(), ready.end(),
                           [&](uint32_t a, uint32_t b) { return ranks[a] < ranks[b]; });
}

bool Block::run(std::array<uint32_t, 3> blockIndex) {
  index = blockIndex;
  if (!clocks.beginBlock()) {
    shared.forgetAccesses();
    globals.forgetAccesses();
    clocks.restart();
    (void)clocks.beginBlock(); // what the old marks became is of an earlier block
  }
  shared.beginBlock();
  globals.beginBlock();
  strongClocks.clear();
  unwritten.clear();
  sawOthers = false;
  for (Barrier &barrier : barriers)
    barrier = {};
  for (uint32_t i = 0; i < warps.size(); ++i) {
    const uint32_t threads = std::min<uint32_t>(lanes, launch.threads - i * lanes);
    warps[i].begin(*this, i, *launch.entry, uint32_t(lowMask(threads)));
  }
  Random random(launch.seed ^ (uint64_t(index[0]) << 40 ^ uint64_t(index[1]) << 20 ^ index[2]));
  std::vector<uint64_t> ranks(warps.size());
  for (uint64_t &rank : ranks)
    rank = random.next();
  std::vector<uint32_t> ready;
  SpinDetector spins;
  while (launch.fault.empty()) {
    ready.clear();
    bool done = true;
    for (uint32_t i = 0; i < warps.size(); ++i) {
      if (warps[i].state == Warp::State::Ready)
        ready.push_back(i);
      done &= warps[i].state == Warp::State::Done;
    }
    if (done) {
      launch.fault = unwritten;
      return unwritten.empty();
    }
    if (ready.empty()) {
      reportDeadlock();
      break;
    }
    Warp &warp = warps[pickWarp(ready, ranks, launch.seed != 0, random)];
    if (launch.instructionsLeft == 0) {
      warp.fault(wholeWarp,
                 fmt::format("the kernel did not end within {} instructions", launch.instructionLimit));
      break;
    }
    // Alone there is nobody to interleave with.
    const uint64_t quantum = ready.size() == 1 ? 4096 : 1 + random.below(uint64_t(1) << random.below(10));
    const uint64_t left = launch.instructionsLeft;
    warp.run(std::min(quantum, left));
    if (spins.isEndless(warp, left - launch.instructionsLeft))
      warp.fault(wholeWarp, fmt::format("an endless loop: {} instructions into the launch the block's warps "
                                        "only come back to states that they have been in",
                                        time()));
  }
  return false;
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
  if (clocks.tick(warp.index))
    return;
  shared.forgetAccesses();
  globals.forgetAccesses();
  clocks.restart();
}

/// Addresses of which it is remembered who released there; beyond this many every block counts as ordered.
static constexpr size_t maxReleased = 1 << 18;

void Block::synchronizeAt(Warp &warp, const Inst &inst, const Target &target, bool reads, bool writes) {
  const bool acquires = inst.has(FlagAcquire), releases = inst.has(FlagRelease);
  const bool global = target.space == Space::Global;
  const uint64_t address = target.offset + (global ? target.allocation->base : 0);
  if (reads) {
    if (const auto place = strongClocks.find(address); place != strongClocks.end())
      clocks.readStrong(warp.index, place->second, acquires);
    const auto other = global ? launch.released.find(address) : launch.released.end();
    if (launch.released.size() >= maxReleased ||
        (other != launch.released.end() && other->second != launch.blocksDone)) {
      sawOthers = true;
      if (acquires)
        globals.orderAfterOtherBlocks();
    }
  }
  if (!writes || !clocks.handsOn(warp.index, releases))
    return;
  auto [place, fresh] = strongClocks.try_emplace(address);
  if (fresh)
    place->second = clocks.emptyClock();
  clocks.writeStrong(warp.index, place->second, releases);
  if (global && launch.released.size() < maxReleased)
    launch.released[address] = launch.blocksDone;
}

void Block::fence(Warp &warp) {
  clocks.fence(warp.index);
  if (sawOthers)
    globals.orderAfterOtherBlocks();
  tick(warp);
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

static uint64_t blockCount(const Grid &grid) { return uint64_t(grid.x) * grid.y * grid.z; }

/// The place of `number` in an order of `count` that `seed` picks: a Feistel network over the next even
/// number of bits, walked on until it comes back below `count`. It needs no table, for grids are large.
static uint64_t shuffled(uint64_t number, uint64_t count, uint64_t seed) {
  const unsigned half = std::max(1u, unsigned(std::bit_width(count - 1) + 1) / 2);
  const uint64_t mask = lowMask(half);
  do {
    uint64_t left = number >> half, right = number & mask;
    for (uint64_t round = 0; round < 4; ++round)
      left = std::exchange(right, left ^ (Random(seed ^ (round << 56) ^ right).next() & mask));
    number = left << half | right;
  } while (number >= count);
  return number;
}

bool runLaunch(LaunchContext &launch) {
  const uint64_t count = blockCount(launch.grid);
  Block block(launch);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t number = launch.seed ? shuffled(i, count, launch.seed) : i;
    const std::array<uint32_t, 3> index{uint32_t(number % launch.grid.x),
                                        uint32_t(number / launch.grid.x % launch.grid.y),
                                        uint32_t(number / (uint64_t(launch.grid.x) * launch.grid.y))};
    if (!block.run(index))
      return false;
    ++launch.blocksDone;
  }
  return true;
}

} // namespace tegula::runtime::ptx
