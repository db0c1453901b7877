#include "runtime/emulator/SharedMemory.h"

#include <algorithm>

namespace tegula::runtime::ptx {

SharedMemory::SharedMemory(const Clocks &clocks, uint32_t size)
    : clocks(clocks), bytes(size), writes(size), reads(size_t(size) * clocks.warpCount()) {}

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

Conflict SharedMemory::read(const Access &access, uint64_t address, uint32_t count) {
  const uint32_t moment = clocks.moment(access.warp);
  const uint32_t stamp = moment * 64 + access.lane;
  for (uint64_t at = address; at < address + count; ++at) {
    const WriteMark &write = writes[at];
    // What a warp writes together is not one lane's own when it reads together.
    const bool together =
        access.lane == Clocks::severalLanes && write.stamp == stamp && write.warp == access.warp;
    if (!(access.strong && write.strong) &&
        (together || !clocks.ordered(access.warp, write.warp, access.lane, write.stamp)))
      return {true, true, write.warp, write.stamp % 64, write.line, at};
    if (access.strong)
      continue;
    ReadMark &mark = reads[at * clocks.warpCount() + access.warp];
    const bool sameMoment = mark.stamp / 64 == moment;
    mark.stamp = sameMoment && mark.stamp != stamp ? moment * 64 + Clocks::severalLanes : stamp;
    mark.line = access.line;
  }
  return {};
}

Conflict SharedMemory::write(const Access &access, uint64_t address, uint32_t count, const uint8_t *values) {
  const uint32_t moment = clocks.moment(access.warp), warps = clocks.warpCount();
  for (uint64_t at = address; at < address + count; ++at) {
    WriteMark &write = writes[at];
    const bool sameInstruction = write.stamp / 64 == moment && write.warp == access.warp &&
                                 write.serial == access.serial && write.line == access.line;
    const bool agrees = sameInstruction && bytes[at] == values[at - address];
    if (!agrees && !(access.strong && write.strong) &&
        !clocks.ordered(access.warp, write.warp, access.lane, write.stamp))
      return {true, true, write.warp, write.stamp % 64, write.line, at};
    for (uint32_t warp = 0; warp < warps; ++warp) {
      const ReadMark &read = reads[at * warps + warp];
      if (!clocks.ordered(access.warp, warp, access.lane, read.stamp))
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
  while (at < address + count && writes[at].stamp / 64 >= clocks.blockStart())
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

uint32_t SharedMemory::pendingLine(uint64_t address, uint32_t count) const {
  for (uint64_t at = address; at < address + count; ++at)
    if (writes[at].pending)
      return writes[at].line;
  return 0;
}

} // namespace tegula::runtime::ptx
