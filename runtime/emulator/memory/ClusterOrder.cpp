#include "runtime/emulator/memory/ClusterOrder.h"

#include <algorithm>

namespace tegula::runtime::ptx {

void ClusterOrder::beginBlock(uint32_t rank) {
  number = rank;
  marks.clear();
  restart();
}

bool ClusterOrder::isBefore(const Mark &mark, uint32_t warp) const {
  return mark.restarts != mark.block->restarts ||
         mark.block->clocks.isBefore(mark.warp, mark.stamp, clocks, warp);
}

bool ClusterOrder::isBefore(const Mark &mark, const Access &access) const {
  if (mark.block != this)
    return isBefore(mark, access.warp);
  return mark.restarts != restarts || clocks.ordered(access.warp, mark.warp, access.lane, mark.stamp);
}

ClusterOrder::Mark ClusterOrder::markOf(const Access &access) const {
  return {this, clocks.stamp(access.warp, access.lane), access.line, access.serial, restarts, access.warp};
}

ClusterOrder::Mark ClusterOrder::markOf(const Access &access, uint32_t agent) const {
  const uint32_t stamp = Clocks::stampOf(clocks.agentMoment(agent));
  return {this, stamp, access.line, access.serial, restarts, clocks.columnOf(agent)};
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

ClusterConflict ClusterOrder::overtaken(const ClusterOrder &owner, const Access &access, uint64_t address,
                                        uint32_t count) const {
  return owner.visitMarks(address, count, [&](const Marks &there, uint64_t at) {
    if (there.write.block && !isBefore(there.write, access))
      return conflictWith(there.write, true, at);
    for (const Mark &read : there.reads)
      if (!isBefore(read, access))
        return conflictWith(read, false, at);
    return ClusterConflict{};
  });
}

void ClusterOrder::forgetMarks(uint64_t address, uint32_t count) {
  if (marks.empty())
    return;
  const uint64_t step = uint64_t(1) << shift;
  for (uint64_t at = (address + step - 1) >> shift; at < (address + count) >> shift; ++at)
    marks.erase(at);
}

ClusterConflict ClusterOrder::write(const Access &access, uint64_t address, uint32_t count) {
  const ClusterConflict conflict = overtaken(*this, access, address, count);
  // Whatever would race with those races with this write as well.
  if (!conflict.found)
    forgetMarks(address, count);
  return conflict;
}

ClusterConflict ClusterOrder::unpublished(const ClusterOrder &of, uint32_t reader, uint64_t address,
                                          uint32_t count) const {
  if (&of != this)
    if (const Conflict own = shared.unpublishedTo(of.clocks, reader, address, count); own.found)
      return {own, this};
  return visitMarks(address, count, [&](const Marks &there, uint64_t at) {
    const Mark &write = there.write;
    if (!write.block || write.restarts != write.block->restarts ||
        write.block->clocks.isPublished(write.warp, write.stamp, of.clocks, reader))
      return ClusterConflict{};
    return conflictWith(write, true, at);
  });
}

ClusterConflict ClusterOrder::readFrom(const ClusterOrder &from, const Access &access, uint64_t address,
                                       uint32_t count) {
  if (const Conflict own = shared.usedAfter(from.clocks, access.warp, address, count, false); own.found)
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
  if (const Conflict own = shared.usedAfter(from.clocks, access.warp, address, count, true); own.found)
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

ClusterConflict ClusterOrder::fillFrom(const ClusterOrder &from, const Access &access, uint64_t address,
                                       uint32_t count) {
  if (const Conflict own = shared.usedAfter(from.clocks, access.warp, address, count, true); own.found)
    return {own, this};
  const ClusterConflict conflict = from.overtaken(*this, access, address, count);
  if (conflict.found)
    return conflict;
  forgetMarks(address, count);
  shared.fillFromOutside(access, address, count);
  return {};
}

} // namespace tegula::runtime::ptx
