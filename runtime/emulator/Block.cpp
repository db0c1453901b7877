#include "runtime/emulator/Block.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tegula::runtime::ptx {

Block::Block(LaunchContext &launch) : launch(launch), warps((launch.threads + lanes - 1) / lanes) {
  shared.configure(launch.program->module.sharedBytes + launch.dynamicShared, uint32_t(warps.size()));
}

bool Block::run(std::array<uint32_t, 3> blockIndex) {
  index = blockIndex;
  shared.beginBlock();
  strongClocks.clear();
  for (Barrier &barrier : barriers)
    barrier = {};
  for (uint32_t i = 0; i < warps.size(); ++i) {
    const uint32_t threads = std::min<uint32_t>(lanes, launch.threads - i * lanes);
    warps[i].begin(*this, i, *launch.entry, uint32_t(lowMask(threads)));
  }
  Random random(launch.seed ^ (uint64_t(index[0]) << 40 ^ uint64_t(index[1]) << 20 ^ index[2]));
  std::vector<uint32_t> ready;
  while (launch.fault.empty()) {
    ready.clear();
    bool done = true;
    for (uint32_t i = 0; i < warps.size(); ++i) {
      if (warps[i].state == Warp::State::Ready)
        ready.push_back(i);
      done &= warps[i].state == Warp::State::Done;
    }
    if (done)
      return true;
    if (ready.empty()) {
      reportDeadlock();
      break;
    }
    Warp &warp = warps[ready[random.below(ready.size())]];
    if (launch.instructionsLeft == 0) {
      warp.fault(wholeWarp,
                 fmt::format("the kernel did not end within {} instructions", launch.instructionLimit));
      break;
    }
    // Alone there is nobody to interleave with.
    const uint64_t quantum = ready.size() == 1 ? 4096 : 1 + random.below(64);
    warp.run(std::min(quantum, launch.instructionsLeft));
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
    barrier.clock = shared.emptyClock();
  }
  barrier.arrivedWarps |= 1u << warp.index;
  barrier.arrivedThreads += threads ? lanes : uint32_t(std::popcount(warp.live));
  shared.release(warp.index, barrier.clock);
  if (waits) {
    barrier.waiting |= 1u << warp.index;
    warp.state = Warp::State::Waiting;
    warp.waitingAt = number;
    warp.waitingInst = &inst;
  }
  shared.tick(warp.index);
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
    shared.acquire(i, done.clock);
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

void Block::synchronizeAt(Warp &warp, uint64_t address) {
  auto [entry, fresh] = strongClocks.try_emplace(address);
  if (fresh)
    entry->second = shared.emptyClock();
  shared.acquire(warp.index, entry->second);
  shared.release(warp.index, entry->second);
  shared.tick(warp.index);
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

/// Seed 0 is the natural order; any other steps through the grid with a stride that has no factor in
/// common with the number of blocks.
bool runLaunch(LaunchContext &launch) {
  const uint64_t count = blockCount(launch.grid);
  uint64_t stride = 1, start = 0;
  if (launch.seed != 0 && count > 1) {
    Random random(launch.seed);
    start = random.below(count);
    do
      stride = 1 + random.below(count);
    while (std::gcd(stride, count) != 1);
  }
  Block block(launch);
  uint64_t number = start;
  for (uint64_t i = 0; i < count; ++i) {
    const std::array<uint32_t, 3> index{uint32_t(number % launch.grid.x),
                                        uint32_t(number / launch.grid.x % launch.grid.y),
                                        uint32_t(number / (uint64_t(launch.grid.x) * launch.grid.y))};
    if (!block.run(index))
      return false;
    ++launch.blocksDone;
    number = uint64_t((static_cast<unsigned __int128>(number) + stride) % count);
  }
  return true;
}

} // namespace tegula::runtime::ptx
