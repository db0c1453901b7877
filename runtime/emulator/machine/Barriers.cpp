#include "runtime/emulator/machine/Barriers.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

namespace tegula::runtime::ptx {

void Barriers::beginBlock() {
  forLanes(used, [&](uint32_t i) { barriers[i] = {}; });
  used = 0;
}

void Barriers::warpEnded() {
  for (uint32_t number = 0; number < barriers.size(); ++number)
    if (barriers[number].arrivedWarps)
      tryComplete(number);
}

uint32_t Barriers::liveThreads() const {
  uint32_t threads = 0;
  for (const Warp &warp : warps)
    threads += uint32_t(std::popcount(warp.live));
  return threads;
}

void Barriers::arrive(Warp &warp, uint32_t number, uint32_t threads, bool waits) {
  Barrier &barrier = barriers[number];
  used |= 1u << number;
  if (!warp.requireConverged())
    return;
  if (barrier.arrivedWarps && barrier.expected != threads)
    return warp.fault(wholeWarp, "barrier {} expects {} threads, found an arrival for {}", number,
                      barrier.expected, threads);
  if (barrier.arrivedWarps >> warp.index & 1)
    return warp.fault(wholeWarp, "the warp arrives twice at barrier {}", number);
  if (!barrier.arrivedWarps) {
    barrier.expected = threads;
    barrier.clock = block.clocks.emptyClock();
  }
  barrier.arrivedWarps |= 1u << warp.index;
  barrier.arrivedThreads += threads ? lanes : uint32_t(std::popcount(warp.live));
  block.clocks.release(warp.index, barrier.clock);
  if (waits) {
    barrier.waiting |= 1u << warp.index;
    warp.waitFor(Warp::Rest::Barrier, number);
  }
  block.tick(warp.index);
  tryComplete(number);
}

void Barriers::tryComplete(uint32_t number) {
  Barrier &barrier = barriers[number];
  const uint32_t expected = barrier.expected ? barrier.expected : liveThreads();
  if (barrier.arrivedThreads < expected)
    return;
  finishReduction(barrier);
  const Barrier done = std::move(barrier);
  barrier = {};
  forLanes(done.waiting, [&](uint32_t i) {
    block.clocks.acquire(i, done.clock);
    warps[i].state = Warp::State::Ready;
    warps[i].waitingInst = nullptr;
  });
}

/// The results of bar.red: every waiting warp gets the operator over all waiting threads' predicates.
void Barriers::finishReduction(Barrier &barrier) {
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
    const auto reduction = BarrierReduction(inst.combine);
    if (reduction == BarrierReduction::Count) {
      forLanes(warp.mask, [&](uint32_t lane) { warp.set(inst.dst, lane, count); });
    } else {
      const bool value = reduction == BarrierReduction::All ? count == threads : count != 0;
      warp.setPredicate(inst.dst, value ? ~0u : 0u, ~0u);
    }
  });
}

std::string Barriers::describe(uint32_t number) const {
  const Barrier &barrier = barriers[number];
  return fmt::format("barrier {} ({} of {} threads arrived)", number, barrier.arrivedThreads,
                     barrier.expected ? barrier.expected : liveThreads());
}

} // namespace tegula::runtime::ptx
