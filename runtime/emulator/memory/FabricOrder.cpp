#include "runtime/emulator/memory/FabricOrder.h"

#include <algorithm>

namespace tegula::runtime::ptx {

void FabricOrder::begin(uint32_t world, uint32_t blockCount, uint32_t columnCount) {
  blocks = blockCount;
  columns = columnCount;
  forget();
  known.assign(world, Clock(size_t(blocks) * columns * 2));
  ended = known;
}

void FabricOrder::forget() {
  marks.clear();
  places.clear();
  edges.clear();
}

void FabricOrder::beginBlock(uint32_t device, Clocks &clocks) const {
  for (uint32_t warp = 0; warp < clocks.warpCount(); ++warp)
    clocks.acquire(warp, known[device]);
}

void FabricOrder::endBlock(uint32_t device, const Clocks &clocks) {
  for (uint32_t warp = 0; warp < clocks.warpCount(); ++warp)
    clocks.release(warp, ended[device]);
}

FabricAccess FabricOrder::now(FabricAccess access, const Clocks &clocks) {
  access.column = clocks.wideColumn(access.warp);
  access.moment = clocks.moment(access.warp);
  access.time = ++time;
  return access;
}

bool FabricOrder::races(const FabricAccess &earlier, const FabricAccess &later, const Clocks &clocks) {
  const bool areMutual = earlier.strong && later.strong && earlier.reachesAll && later.reachesAll;
  return earlier.line && earlier.device != later.device && !areMutual &&
         clocks.known(later.warp, earlier.column) < earlier.moment;
}

FabricConflict FabricOrder::conflict(const FabricAccess &earlier, const FabricAccess &later, bool wasWrite,
                                     uint64_t address) const {
  FabricConflict found{true, wasWrite, earlier, address, Missing::Signal, {}, {}};
  if (earlier.strong && later.strong) {
    found.missing = Missing::Scope;
    return found;
  }
  const auto edge = edges.find({earlier.block, later.block});
  if (edge == edges.end() || edge->second.signal.time < earlier.time)
    return found;
  const Edge &last = edge->second;
  found.signal = last.signal;
  found.wait = last.wait;
  if (!last.releases)
    found.missing = Missing::Release;
  else if (!last.acquires)
    found.missing = Missing::Acquire;
  else
    found.missing =
        last.knew[earlier.column] < earlier.moment ? Missing::BarrierBefore : Missing::BarrierAfter;
  return found;
}

FabricConflict FabricOrder::read(const FabricAccess &access, const Clocks &clocks, uint64_t address,
                                 uint32_t count) {
  auto [mark, step] = marks.find(address, count);
  if (!mark)
    return {};
  for (uint64_t at = address; at < address + count; at += step, ++mark) {
    if (races(mark->write, access, clocks))
      return conflict(mark->write, access, true, at);
    // A read that comes before this one is not worth keeping: what races with it races with this one.
    std::erase_if(mark->reads, [&](const FabricAccess &read) {
      return read.column == access.column || clocks.known(access.warp, read.column) >= read.moment;
    });
    mark->reads.push_back(access);
  }
  return {};
}

FabricConflict FabricOrder::write(const FabricAccess &access, const Clocks &clocks, uint64_t address,
                                  uint32_t count) {
  auto [mark, step] = marks.find(address, count);
  if (!mark)
    return {};
  for (uint64_t at = address; at < address + count; at += step, ++mark) {
    if (races(mark->write, access, clocks))
      return conflict(mark->write, access, true, at);
    for (const FabricAccess &read : mark->reads)
      if (races(read, access, clocks))
        return conflict(read, access, false, at);
    mark->write = access;
    mark->reads.clear();
  }
  return {};
}

void FabricOrder::wait(const FabricAccess &access, Clocks &clocks, uint64_t address, bool acquires) {
  const auto found = places.find(address);
  if (found == places.end())
    return;
  const Place &place = found->second;
  if (const auto local = place.local.find(access.device); local != place.local.end())
    clocks.readStrong(access.warp, local->second, acquires);
  if (access.reachesAll && !place.everywhere.empty())
    clocks.readStrong(access.warp, place.everywhere, acquires);
  if (place.last.line && place.last.device != access.device)
    edges[{place.last.block, access.block}] = {place.last, access, place.lastKnew, place.lastReleases,
                                               acquires};
}

void FabricOrder::signal(const FabricAccess &access, const Clocks &clocks, uint64_t address, bool releases,
                         bool changes) {
  Place &place = places[address];
  if (clocks.handsOn(access.warp, releases)) {
    Clock &local = place.local[access.device];
    if (local.empty())
      local = clocks.emptyClock();
    clocks.writeStrong(access.warp, local, releases);
    if (access.reachesAll) {
      if (place.everywhere.empty())
        place.everywhere = clocks.emptyClock();
      clocks.writeStrong(access.warp, place.everywhere, releases);
    }
  }
  if (!changes)
    return;
  place.last = access;
  place.lastReleases = clocks.handsOn(access.warp, releases);
  place.lastKnew = clocks.emptyClock();
  clocks.release(access.warp, place.lastKnew);
}

const FabricAccess *FabricOrder::lastSignal(uint64_t address) const {
  const auto place = places.find(address);
  return place == places.end() || !place->second.last.line ? nullptr : &place->second.last;
}

} // namespace tegula::runtime::ptx
