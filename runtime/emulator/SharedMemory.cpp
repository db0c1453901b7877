#include "runtime/emulator/SharedMemory.h"

#include <algorithm>

namespace tegula::runtime::ptx {

/// Stamps have 26 bits for the moment; beyond this the marks are cleared and counting starts anew.
static constexpr uint32_t maxMoment = (1u << 26) - 2;

void SharedMemory::configure(uint32_t size, uint32_t warpCount) {
  warps = warpCount;
  bytes.assign(size, 0);
  writes.assign(size, {});
  reads.assign(size_t(size) * warps, {});
  clocks.assign(size_t(warps) * warps, 0);
  base = latest = 1;
}

void SharedMemory::beginBlock() {
  if (latest >= maxMoment / 2) {
    std::fill(writes.begin(), writes.end(), WriteMark{});
    std::fill(reads.begin(), reads.end(), ReadMark{});
    latest = 1;
  }
  base = ++latest;
  startClocks();
  for (WriteMark &mark : writes)
    mark.pending = false;
}

/// Every warp knows the others' past and is itself one moment ahead of what they know of it.
void SharedMemory::startClocks() {
  std::fill(clocks.begin(), clocks.end(), base);
  for (uint32_t warp = 0; warp < warps; ++warp)
    clocks[size_t(warp) * warps + warp] = base + 1;
  latest = base + 1;
}

bool SharedMemory::ordered(uint32_t accessor, uint32_t warp, uint32_t lane, uint32_t stamp) const {
  const uint32_t moment = stamp / 64;
  if (moment < base)
    return true;
  const uint32_t known = clocks[size_t(accessor) * warps + warp];
  // A warp's own present moment is not behind it, except for the lane that acts.
  if (accessor == warp)
    return moment < known || stamp % 64 == lane;
  return moment <= known;
}

Conflict SharedMemory::read(const Access &access, uint64_t address, uint32_t count) {
  const uint32_t moment = clocks[size_t(access.warp) * warps + access.warp];
  const uint32_t stamp = moment * 64 + access.lane;
  for (uint64_t at = address; at < address + count; ++at) {
    const WriteMark &write = writes[at];
    if (!(access.strong && write.strong) && !ordered(access.warp, write.warp, access.lane, write.stamp))
      return {true, true, write.warp, write.stamp % 64, write.line, at};
    if (access.strong)
      continue;
    ReadMark &mark = reads[at * warps + access.warp];
    const bool sameMoment = mark.stamp / 64 == moment;
    mark.stamp = sameMoment && mark.stamp != stamp ? moment * 64 + severalLanes : stamp;
    mark.line = access.line;
  }
  return {};
}

Conflict SharedMemory::write(const Access &access, uint64_t address, uint32_t count, const uint8_t *values) {
  const uint32_t moment = clocks[size_t(access.warp) * warps + access.warp];
  for (uint64_t at = address; at < address + count; ++at) {
    WriteMark &write = writes[at];
    const bool sameInstruction = write.stamp / 64 == moment && write.warp == access.warp &&
                                 write.serial == access.serial && write.line == access.line;
    const bool agrees = sameInstruction && bytes[at] == values[at - address];
    if (!agrees && !(access.strong && write.strong) &&
        !ordered(access.warp, write.warp, access.lane, write.stamp))
      return {true, true, write.warp, write.stamp % 64, write.line, at};
    for (uint32_t warp = 0; warp < warps; ++warp) {
      const ReadMark &read = reads[at * warps + warp];
      if (!ordered(access.warp, warp, access.lane, read.stamp))
        return {true, false, warp, read.stamp % 64, read.line, at};
    }
    write.stamp = moment * 64 + access.lane;
    write.line = access.line;
    write.serial = access.serial;
    write.warp = uint16_t(access.warp);
    write.strong = access.strong;
    write.undefined = false;
  }
  return {};
}

uint64_t SharedMemory::firstUninitialised(uint64_t address, uint32_t count) const {
  uint64_t at = address;
  while (at < address + count && writes[at].stamp / 64 >= base)
    ++at;
  return at;
}

void SharedMemory::setDefined(uint64_t address, uint32_t count, bool defined) {
  for (uint64_t at = address; at < address + count; ++at)
    writes[at].undefined = !defined;
}

bool SharedMemory::isDefined(uint64_t address, uint32_t count) const {
  for (uint64_t at = address; at < address + count; ++at)
    if (writes[at].undefined)
      return false;
  return true;
}

void SharedMemory::setPending(uint64_t address, uint32_t count, bool pending) {
  for (uint64_t at = address; at < address + count; ++at)
    writes[at].pending = pending;
}

bool SharedMemory::isPending(uint64_t address, uint32_t count) const {
  for (uint64_t at = address; at < address + count; ++at)
    if (writes[at].pending)
      return true;
  return false;
}

void SharedMemory::tick(uint32_t warp) {
  uint32_t &moment = clocks[size_t(warp) * warps + warp];
  if (moment >= maxMoment) {
    // History is lost rather than wrong: no access before this point can be reported.
    for (WriteMark &mark : writes)
      mark.stamp = mark.stamp / 64 >= base ? 64 : 0;
    std::fill(reads.begin(), reads.end(), ReadMark{});
    base = 1;
    startClocks();
    return;
  }
  ++moment;
  latest = std::max(latest, moment);
}

void SharedMemory::release(uint32_t warp, Clock &clock) const {
  for (uint32_t other = 0; other < warps; ++other)
    clock[other] = std::max(clock[other], clocks[size_t(warp) * warps + other]);
}

void SharedMemory::acquire(uint32_t warp, const Clock &clock) {
  for (uint32_t other = 0; other < warps; ++other) {
    uint32_t &known = clocks[size_t(warp) * warps + other];
    known = std::max(known, clock[other]);
  }
}

} // namespace tegula::runtime::ptx
