#include "runtime/emulator/memory/ClusterOrder.h"

#include <algorithm>
#include <utility>

namespace tegula::runtime::ptx {

void ClusterOrder::beginBlock(uint32_t rank) {
  number = rank;
  warps.assign(clocks.warpCount(), {});
  marks.clear();
  restart();
}

void ClusterOrder::restart() {
  pending = last = previous = clocks.emptyClock();
  completed = clocks.blockStart();
  ++restarts;
}

void ClusterOrder::arrive(uint32_t warp, bool releases) {
  ++warps[warp].arrivals;
  if (releases)
    clocks.release(warp, pending);
}

void ClusterOrder::complete() {
  previous = std::exchange(last, pending);
  clocks.setBarriers(last, ++completed);
}

void ClusterOrder::pass(uint32_t warp) {
  ++warps[warp].passages;
  clocks.acquire(warp, last);
}

bool ClusterOrder::isBefore(const Mark &mark, const Access &access) const {
  const ClusterOrder &other = *mark.block;
  if (mark.restarts != other.restarts)
    return true;
  if (&other == this)
    return clocks.ordered(access.warp, mark.warp, access.lane, mark.stamp);
  return other.clocks.isBefore(other.released(knowsLast(access.warp)), mark.warp, mark.stamp);
}

ClusterOrder::Mark ClusterOrder::markOf(const Access &access) const {
  return {this, clocks.stamp(access.warp, access.lane), access.line, access.serial, restarts, access.warp};
}

ClusterConflict ClusterOrder::conflictWith(const Mark &mark, bool wasWrite, uint64_t address) {
  return {{true, wasWrite, mark.warp, mark.stamp % 64, mark.line, address}, mark.block};
}

void ClusterOrder::refine(uint64_t address, uint32_t count) {
  const uint32_t wanted = (address | count) & 1 ? 0 : (address | count) & 2 ? 1 : 2;
  if (wanted >= shift)
    return;
  std::unordered_map<uint64_t, Marks> finer;
  for (const auto &[at, whole] : marks)
    for (uint64_t part = 0; part < uint64_t(1) << (shift - wanted); ++part)
      finer.emplace((at << (shift - wanted)) + part, whole);
  marks = std::move(finer);
  shift = wanted;
}

ClusterConflict ClusterOrder::read(const Access &access, uint64_t address, uint32_t count) const {
  return visitMarks(address, count, [&](const Marks &there, uint64_t at) {
    const bool races = there.write.block && !isBefore(there.write, access);
    return races ? conflictWith(there.write, true, at) : ClusterConflict{};
  });
}

ClusterConflict ClusterOrder::write(const Access &access, uint64_t address, uint32_t count) {
  const ClusterConflict conflict = visitMarks(address, count, [&](const Marks &there, uint64_t at) {
    if (there.write.block && !isBefore(there.write, access))
      return conflictWith(there.write, true, at);
    for (const Mark &read : there.reads)
      if (!isBefore(read, access))
        return conflictWith(read, false, at);
    return ClusterConflict{};
  });
  if (conflict.found || marks.empty())
    return conflict;
  // Whatever would race with those races with this write as well.
  const uint64_t step = uint64_t(1) << shift;
  for (uint64_t at = (address + step - 1) >> shift; at < (address + count) >> shift; ++at)
    marks.erase(at);
  return {};
}

ClusterConflict ClusterOrder::unpublished(uint32_t warp, uint64_t address, uint32_t count) const {
  return visitMarks(address, count, [&](const Marks &there, uint64_t at) {
    const Mark &write = there.write;
    if (!write.block || write.restarts != write.block->restarts)
      return ClusterConflict{};
    // A fence in the writing block, before it arrived; or in this one, after the wait.
    const ClusterOrder &other = *write.block;
    const bool fencedHere = clocks.publishedBarriers(warp) >= completed;
    if (other.clocks.isBefore(other.released(knowsLast(warp)), write.warp, write.stamp, /*byUnits=*/true) ||
        other.clocks.isBefore(other.released(fencedHere), write.warp, write.stamp))
      return ClusterConflict{};
    return conflictWith(write, true, at);
  });
}

ClusterConflict ClusterOrder::readFrom(const ClusterOrder &from, const Access &access, uint64_t address,
                                       uint32_t count) {
  const Clocks::Clock &clock = released(from.knowsLast(access.warp));
  if (const Conflict own = shared.usedAfter(clock, address, count, false); own.found)
    return {own, this};
  refine(address, count);
  const Mark mark = from.markOf(access);
  for (uint64_t at = address >> shift; at < (address + count) >> shift; ++at) {
    Marks &there = marks[at];
    if (there.write.block && !from.isBefore(there.write, access))
      return conflictWith(there.write, true, at << shift);
    const auto same = std::ranges::find_if(
        there.reads, [&](const Mark &read) { return read.block == &from && read.warp == access.warp; });
    if (same == there.reads.end()) {
      there.reads.push_back(mark);
      continue;
    }
    const bool others = same->stamp / 64 == mark.stamp / 64 && same->stamp != mark.stamp;
    *same = mark;
    if (others)
      same->stamp = mark.stamp / 64 * 64 + Clocks::severalLanes;
  }
  return {};
}

ClusterConflict ClusterOrder::writeFrom(const ClusterOrder &from, const Access &access, uint64_t address,
                                        uint32_t count, bool changes) {
  const Clocks::Clock &clock = released(from.knowsLast(access.warp));
  if (const Conflict own = shared.usedAfter(clock, address, count, true); own.found)
    return {own, this};
  refine(address, count);
  const Mark mark = from.markOf(access);
  for (uint64_t at = address >> shift; at < (address + count) >> shift; ++at) {
    Marks &there = marks[at];
    const Mark &write = there.write;
    const bool agrees = write.block == &from && write.warp == access.warp && write.serial == access.serial &&
                        write.line == access.line && !changes;
    if (write.block && !agrees && !from.isBefore(write, access))
      return conflictWith(write, true, at << shift);
    for (const Mark &read : there.reads)
      if (!from.isBefore(read, access))
        return conflictWith(read, false, at << shift);
    there.write = mark;
    there.reads.clear();
  }
  shared.writeFromOutside(address, count);
  return {};
}

} // namespace tegula::runtime::ptx
