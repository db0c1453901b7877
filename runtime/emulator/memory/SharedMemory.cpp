#include "runtime/emulator/memory/SharedMemory.h"

#include <algorithm>
#include <cstring>

namespace tegula::runtime::ptx {

SharedMemory::SharedMemory(const Clocks &clocks, uint32_t size)
    : clocks(clocks), bytes(size), writes((size + 3) / 4), reads(writes.size() * clocks.readers()) {}

void SharedMemory::beginBlock() {
  for (WriteMark &mark : writes)
    mark.pending = false;
}

void SharedMemory::forgetAccesses() {
  // The first moment after a restart is 1: such a stamp counts as written and is behind everybody.
  for (WriteMark &mark : writes)
    mark.stamp = mark.stamp / 64 >= clocks.blockStart() ? 64 : 0;
  std::fill(reads.begin(), reads.end(), ReadMark{});
}

void SharedMemory::refine(uint64_t address, uint32_t count) {
  const uint32_t wanted = (address | count) & 1 ? 0 : (address | count) & 2 ? 1 : 2;
  if (wanted >= shift)
    return;
  const size_t parts = size_t(1) << (shift - wanted), warps = clocks.readers();
  std::vector<WriteMark> finerWrites;
  std::vector<ReadMark> finerReads;
  finerWrites.reserve(writes.size() * parts);
  finerReads.reserve(reads.size() * parts);
  for (size_t mark = 0; mark < writes.size(); ++mark)
    for (size_t part = 0; part < parts; ++part) {
      finerWrites.push_back(writes[mark]);
      const auto first = reads.begin() + long(mark * warps);
      finerReads.insert(finerReads.end(), first, first + long(warps));
    }
  writes = std::move(finerWrites);
  reads = std::move(finerReads);
  shift = wanted;
}

Conflict SharedMemory::read(const Access &access, uint64_t address, uint32_t count) {
  refine(address, count);
  const uint32_t moment = access.agent ? clocks.agentMoment(*access.agent) : clocks.moment(access.warp);
  const uint32_t stamp = moment * 64 + access.lane;
  const uint32_t reader = access.agent ? clocks.columnOf(*access.agent) : access.warp;
  for (uint64_t at = address >> shift; at < (address + count) >> shift; ++at) {
    const WriteMark &write = writes[at];
    // Bytes that a warp wrote together do not belong to a single lane when it reads together.
    const bool together =
        access.lane == Clocks::severalLanes && write.stamp == stamp && write.warp == access.warp;
    if (!(access.strong && write.strong) &&
        (together || !clocks.ordered(access.warp, write.warp, access.lane, write.stamp)))
      return {true, true, write.warp, write.stamp % 64, write.line, at << shift};
    if (access.strong)
      continue;
    ReadMark &mark = reads[at * clocks.readers() + reader];
    const bool sameMoment = mark.stamp / 64 == moment;
    mark.stamp = sameMoment && mark.stamp != stamp ? moment * 64 + Clocks::severalLanes : stamp;
    mark.line = access.line;
  }
  return {};
}

Conflict SharedMemory::write(const Access &access, uint64_t address, uint32_t count, const uint8_t *values) {
  refine(address, count);
  const uint32_t moment = clocks.moment(access.warp), warps = clocks.readers(), step = 1u << shift;
  for (uint64_t at = address; at < address + count; at += step) {
    WriteMark &write = writes[at >> shift];
    const bool sameInstruction = write.stamp / 64 == moment && write.warp == access.warp &&
                                 write.serial == access.serial && write.line == access.line;
    const bool agrees = sameInstruction && std::memcmp(&bytes[at], values + (at - address), step) == 0;
    if (!agrees && !(access.strong && write.strong) &&
        !clocks.ordered(access.warp, write.warp, access.lane, write.stamp))
      return {true, true, write.warp, write.stamp % 64, write.line, at};
    const ReadMark *const readers = &reads[(at >> shift) * warps];
    for (uint32_t warp = 0; warp < warps; ++warp)
      if (!clocks.ordered(access.warp, warp, access.lane, readers[warp].stamp))
        return {true, false, warp, readers[warp].stamp % 64, readers[warp].line, at};
    write.stamp = access.agent ? clocks.agentMoment(*access.agent) * 64 : moment * 64 + access.lane;
    write.line = access.line;
    write.serial = access.serial;
    write.warp = uint16_t(access.agent ? clocks.columnOf(*access.agent) : access.warp);
    write.strong = access.strong;
    write.undefined = false;
  }
  return {};
}

bool SharedMemory::isInitialised(uint64_t address, uint32_t count) const {
  const auto isOld = [&](const WriteMark &mark) { return mark.stamp / 64 < clocks.blockStart(); };
  return !firstWrite(address, count, isOld).found;
}

Conflict SharedMemory::unpublished(uint32_t reader, uint64_t address, uint32_t count) const {
  return firstWrite(address, count, [&](const WriteMark &write) {
    return !clocks.isPublished(reader, write.warp, write.stamp);
  });
}

Conflict SharedMemory::usedAfter(const Clocks &others, uint32_t warp, uint64_t address, uint32_t count,
                                 bool orRead) const {
  for (uint64_t at = address >> shift; at <= (address + count - 1) >> shift; ++at) {
    if (const WriteMark &write = writes[at]; !clocks.isBefore(write.warp, write.stamp, others, warp))
      return {true, true, write.warp, write.stamp % 64, write.line, at << shift};
    for (uint32_t column = 0; orRead && column < clocks.readers(); ++column)
      if (const ReadMark &read = reads[at * clocks.readers() + column];
          !clocks.isBefore(column, read.stamp, others, warp))
        return {true, false, column, read.stamp % 64, read.line, at << shift};
  }
  return {};
}

Conflict SharedMemory::unpublishedTo(const Clocks &others, uint32_t reader, uint64_t address,
                                     uint32_t count) const {
  return firstWrite(address, count, [&](const WriteMark &write) {
    return !clocks.isPublished(write.warp, write.stamp, others, reader);
  });
}

void SharedMemory::writeFromOutside(uint64_t address, uint32_t count) {
  refine(address, count);
  // To the block's own warps it is as old as the block.
  WriteMark mark;
  mark.stamp = clocks.blockStart() * 64;
  std::fill(writes.begin() + long(address >> shift), writes.begin() + long((address + count) >> shift), mark);
}

void SharedMemory::fillFromOutside(const Access &access, uint64_t address, uint32_t count) {
  refine(address, count);
  WriteMark mark;
  mark.stamp = clocks.agentMoment(*access.agent) * 64;
  mark.line = access.line;
  mark.serial = access.serial;
  mark.warp = uint16_t(clocks.columnOf(*access.agent));
  std::fill(writes.begin() + long(address >> shift), writes.begin() + long((address + count) >> shift), mark);
}

void SharedMemory::setDefined(uint64_t address, uint32_t count, bool defined) {
  refine(address, count);
  for (uint64_t at = address >> shift; at < (address + count) >> shift; ++at)
    writes[at].undefined = !defined;
}

bool SharedMemory::isDefined(uint64_t address, uint32_t count) const {
  return !firstWrite(address, count, [](const WriteMark &mark) { return mark.undefined; }).found;
}

void SharedMemory::setPending(uint64_t address, uint32_t count, bool pending) {
  refine(address, count);
  for (uint64_t at = address >> shift; at < (address + count) >> shift; ++at)
    writes[at].pending = pending;
}

Conflict SharedMemory::pending(uint64_t address, uint32_t count) const {
  return firstWrite(address, count, [](const WriteMark &mark) { return mark.pending; });
}

} // namespace tegula::runtime::ptx
