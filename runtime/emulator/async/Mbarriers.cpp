#include "runtime/emulator/async/Mbarriers.h"

#include "runtime/emulator/warp/Access.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tegula::runtime::ptx {

void Mbarriers::beginBlock() {
  all.clear();
  lastFrom.clear();
  made = 0;
}

void Mbarriers::init(Warp &warp, uint32_t lane, uint32_t address, uint32_t count) {
  if (const uint32_t before = block.mbarrierWords.lineAt(address, mbarrierBytes))
    return warp.fault(lane, "an mbarrier is initialised where there is one already, from {}",
                      block.faults.placeName(before));
  if (count == 0 || count > maxArrivals)
    return warp.fault(lane, "expected an mbarrier for 1 to {} arrivals, found {}", maxArrivals, count);
  static constexpr std::array<uint8_t, mbarrierBytes> opaque{};
  if (!beforeWrite(warp, lane, sharedTarget(warp, address), mbarrierBytes, false, opaque.data()))
    return;
  Mbarrier mbarrier;
  mbarrier.count = mbarrier.arrivals = mbarrier.pending = count;
  mbarrier.line = warp.current->line;
  mbarrier.warp = warp.index;
  // The first agents are those of the groups, and the one of fences for mbarriers.
  const uint32_t first = block.initAgent() + block.launch.hasClusters();
  if (const uint32_t agents = block.clocks.agentCount() - first)
    mbarrier.agent = first + made++ % agents;
  mbarrier.open = mbarrier.done = block.clocks.emptyClock();
  mbarrier.seen.assign(warps.size(), 0);
  all.emplace(address, std::move(mbarrier));
  block.mbarrierWords.add(address, warp.current->line);
}

std::string Mbarriers::blockNameFor(const Warp &warp) const {
  return warp.block == &block ? "" : fmt::format(" of block {} of the cluster", block.rank());
}

Conflict Mbarriers::unordered(const Warp &warp, uint32_t lane, uint32_t address,
                              const Mbarrier &mbarrier) const {
  // All operations read what the initialisation wrote, and need not be ordered among themselves.
  const Access access = accessOf(warp, lane, false);
  const BlockState &from = *warp.block;
  const Conflict conflict =
      &from == &block ? block.shared.read(access, address, mbarrierBytes)
                      : block.clusterOrder.readFrom(from.clusterOrder, access, address, mbarrierBytes);
  const bool isFenced = block.cluster && mbarrier.fenced &&
                        block.clocks.isBefore(block.clocks.columnOf(block.initAgent()),
                                              Clocks::stampOf(mbarrier.fencedAt), from.clocks, warp.index);
  return isFenced ? Conflict{} : conflict;
}

Mbarrier *Mbarriers::use(Warp &warp, uint32_t lane, uint32_t address) {
  const auto found = all.find(address);
  if (found == all.end()) {
    warp.fault(lane, "there is no mbarrier at {:#x}{}: it is not initialised, or not yet", address,
               blockNameFor(warp));
    return nullptr;
  }
  if (block.launch.checks.races)
    if (const Conflict conflict = unordered(warp, lane, address, found->second); conflict.found) {
      warp.fault(lane,
                 "the mbarrier at {:#x}{} is used and was initialised by {} at {}: nothing orders the two",
                 address, blockNameFor(warp), block.faults.threadName(conflict.warp, conflict.lane),
                 block.faults.placeName(conflict.line));
      return nullptr;
    }
  return &found->second;
}

Mbarrier *Mbarriers::useByUnit(Warp &warp, uint32_t lane, uint32_t address) {
  Mbarrier *const mbarrier = use(warp, lane, address);
  if (!mbarrier || mbarrier->fenced || !block.launch.checks.races)
    return mbarrier;
  const bool isPublished =
      warp.block == &block
          ? !block.shared.unpublished(warp.index, address, mbarrierBytes).found
          : !block.clusterOrder.unpublished(warp.block->clusterOrder, warp.index, address, mbarrierBytes)
                 .found;
  if (isPublished)
    return mbarrier;
  warp.fault(lane,
             "a bulk copy signals the mbarrier at {:#x}{}, which was initialised at {}: no "
             "`fence.mbarrier_init` or `fence.proxy.async` stands between",
             address, blockNameFor(warp), block.faults.placeName(mbarrier->line));
  return nullptr;
}

bool Mbarriers::reaches(Warp &warp, uint32_t lane, uint32_t address, bool inCluster, const char *does,
                        const char *wanted) const {
  if (inCluster || warp.block == &block)
    return true;
  return warp.refuse(lane, "expected `{}`: the thread {} at the mbarrier at {:#x}{}", wanted, does, address,
                     blockNameFor(warp));
}

bool Mbarriers::waitReaches(Warp &warp, uint32_t lane, const Mbarrier &mbarrier, bool inCluster) const {
  const ClusterOrder::Mark &by = mbarrier.doneFrom;
  if (inCluster || !by.block || !block.launch.checks.races)
    return true;
  return warp.refuse(lane,
                     "expected `.acquire.cluster`: {} of block {} of the cluster has arrived for this phase, "
                     "at {}",
                     block.faults.threadName(by.warp, by.stamp % 64), by.block->rank(),
                     block.faults.placeName(by.line));
}

void Mbarriers::invalidate(Warp &warp, uint32_t lane, uint32_t address) {
  if (!use(warp, lane, address))
    return;
  all.erase(address);
  block.mbarrierWords.remove(address);
  // As a write, it has to come after whatever the others do with the mbarrier.
  static constexpr std::array<uint8_t, mbarrierBytes> opaque{};
  (void)beforeWrite(warp, lane, sharedTarget(warp, address), mbarrierBytes, false, opaque.data());
}

void Mbarriers::expect(Warp &warp, uint32_t lane, uint32_t address, Mbarrier &mbarrier, int64_t bytes) {
  mbarrier.bytes += bytes;
  mbarrier.expected = warp.current;
  if (std::abs(mbarrier.bytes) > int64_t(maxTransaction))
    return warp.fault(lane, "{} bytes are outstanding at the mbarrier at {:#x}, which counts to {}",
                      mbarrier.bytes, address, maxTransaction);
  tryComplete(address, mbarrier);
}

void Mbarriers::arrive(Warp &warp, uint32_t lane, uint32_t address, Mbarrier &mbarrier, uint32_t count) {
  if (count == 0 || count > mbarrier.pending)
    return warp.fault(lane, "{} arrive{} at {}{}: more than it was initialised for, at {}", count,
                      count == 1 ? "s" : "", describe(address), blockNameFor(warp),
                      block.faults.placeName(mbarrier.line));
  mbarrier.pending -= count;
  warp.block->clocks.release(warp.index, mbarrier.open);
  if (warp.block != &block)
    rememberArrival(warp, lane, address, mbarrier);
  tryComplete(address, mbarrier);
}

void Mbarriers::rememberArrival(Warp &warp, uint32_t lane, uint32_t address, Mbarrier &mbarrier) {
  const BlockState &from = *warp.block;
  mbarrier.openFrom = from.clusterOrder.markOf(accessOf(warp, lane, false));
  mbarrier.afterOthers |= from.order.isAfterOthers();
  lastFrom[{from.rank(), warp.index}] = {mbarrier.openFrom, address};
}

void Mbarriers::drop(Warp &warp, uint32_t lane, Mbarrier &mbarrier, uint32_t count) {
  if (count > mbarrier.count)
    return warp.fault(lane, "more threads leave an mbarrier than it was initialised for");
  mbarrier.count -= count;
}

void Mbarriers::tryComplete(uint32_t address, Mbarrier &mbarrier) {
  if (mbarrier.pending || mbarrier.bytes)
    return;
  ++mbarrier.phase;
  mbarrier.arrivals = mbarrier.pending = mbarrier.count;
  mbarrier.doneFrom = std::exchange(mbarrier.openFrom, {});
  Clocks::join(mbarrier.done, mbarrier.open);
  block.launch.spins.progressed();
  wake(warps, Warp::Rest::Mbarrier, address);
}

void Mbarriers::acquire(Warp &warp, Mbarrier &mbarrier) {
  block.clocks.acquire(warp.index, mbarrier.done);
  if (mbarrier.doneFrom.block)
    block.meetCluster(mbarrier.afterOthers);
  mbarrier.seen[warp.index] = mbarrier.phase;
}

bool Mbarriers::hasCompleted(Warp &warp, uint32_t lane, Mbarrier &mbarrier, uint32_t parity) {
  const uint64_t next = mbarrier.seen[warp.index]; // the phase that comes after those that the warp has seen
  if (mbarrier.phase > next + 1 && parity == (next & 1))
    return warp.refuse(lane,
                       "the warp has missed a phase of the mbarrier that was initialised at {}: it waits for "
                       "phase {}, and {} have completed, so that the parity stands for another one",
                       block.faults.placeName(mbarrier.line), next, mbarrier.phase);
  if ((mbarrier.phase & 1) == parity)
    return false;
  acquire(warp, mbarrier);
  return true;
}

bool Mbarriers::hasPassed(Warp &warp, uint32_t lane, Mbarrier &mbarrier, uint64_t state) {
  if (state > mbarrier.phase || mbarrier.phase > state + 1)
    return warp.refuse(
        lane,
        "the state is not of the present or the last phase of the mbarrier that was initialised "
        "at {}, of which {} have completed",
        block.faults.placeName(mbarrier.line), mbarrier.phase);
  if (mbarrier.phase == state)
    return false;
  acquire(warp, mbarrier);
  return true;
}

void Mbarriers::complete(uint32_t address, uint32_t bytes, uint32_t moment) {
  const auto found = all.find(address);
  if (found == all.end())
    return;
  Mbarrier &mbarrier = found->second;
  mbarrier.bytes -= bytes;
  block.clocks.releaseAgent(mbarrier.agent, moment, mbarrier.open);
  tryComplete(address, mbarrier);
}

void Mbarriers::fence(uint32_t warp) {
  const uint32_t moment = block.cluster ? block.nextMoment(block.initAgent()) : 0;
  if (block.cluster)
    block.clocks.learn(warp, block.initAgent(), moment);
  for (auto &[address, mbarrier] : all)
    if (mbarrier.warp == warp && !std::exchange(mbarrier.fenced, true))
      mbarrier.fencedAt = moment;
}

std::string Mbarriers::describe(uint32_t address) const {
  const auto found = all.find(address);
  if (found == all.end())
    return fmt::format("the mbarrier at {:#x}, which is gone", address);
  const Mbarrier &mbarrier = found->second;
  std::string bytes;
  if (mbarrier.bytes)
    bytes = fmt::format(", {} bytes {}", std::abs(mbarrier.bytes),
                        mbarrier.bytes > 0 ? "to come" : "more than expected have come");
  return fmt::format("the mbarrier at {:#x} (phase {}: {} of {} arrivals{})", address, mbarrier.phase,
                     mbarrier.arrivals - mbarrier.pending, mbarrier.arrivals, bytes);
}

void Mbarriers::endBlock() const {
  for (const auto &[address, mbarrier] : all)
    if (mbarrier.bytes && mbarrier.expected) {
      Warp &warp = warps[mbarrier.warp];
      warp.current = mbarrier.expected;
      return warp.fault(wholeWarp,
                        "the block ends, and at {} the bytes that were expected here and those "
                        "that came are not the same",
                        describe(address));
    }
  if (block.launch.checks.races)
    faultIfArrivalMayBeLate();
}

void Mbarriers::faultIfArrivalMayBeLate() const {
  for (const auto &[from, last] : lastFrom) {
    const ClusterOrder::Mark &by = last.by;
    if (std::ranges::any_of(warps,
                            [&](const Warp &warp) { return block.clusterOrder.isBefore(by, warp.index); }))
      continue;
    return warps.front().fault(
        wholeWarp,
        "block {} of the cluster ends, and {} of block {} may arrive at its mbarrier at {:#x} only after "
        "that, "
        "at {}: it waits neither for that phase nor for a barrier of the cluster behind the arrival",
        block.rank(), block.faults.threadName(by.warp, by.stamp % 64), by.block->rank(), last.address,
        block.faults.placeName(by.line));
  }
}

} // namespace tegula::runtime::ptx
