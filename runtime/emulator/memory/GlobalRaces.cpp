#include "runtime/emulator/memory/GlobalRaces.h"

#include <cstring>

namespace tegula::runtime::ptx {

void GlobalRaces::beginBlock() {
  // Marks of earlier blocks mean nothing to this one, but their pages stay: the next block mostly touches the
  // same ones.
  if (budget.left == 0)
    pages.clear();
}

void GlobalRaces::noteRead(Mark &mark, const Access &access, uint32_t stamp) const {
  // A read that comes before this one is not worth keeping: an access that races with it races with this one.
  size_t place = 1;
  for (size_t i = 0; i < 2; ++i)
    if (mark.reads[i].stamp / 64 < clocks.blockStart() || mark.readers[i] == access.warp ||
        clocks.ordered(access.warp, mark.readers[i], Clocks::severalLanes, mark.reads[i].stamp)) {
      place = i;
      break;
    }
  ReadMark &read = mark.reads[place];
  const uint8_t flag = place ? Converged1 : Converged0;
  const bool same = mark.readers[place] == access.warp && read.stamp / 64 == stamp / 64;
  if (!access.converged)
    mark.flags &= uint8_t(~flag);
  else if (!same)
    mark.flags |= flag;
  read.stamp = same && read.stamp != stamp ? stamp / 64 * 64 + Clocks::severalLanes : stamp;
  read.line = access.line;
  mark.readers[place] = uint8_t(access.warp);
}

Conflict GlobalRaces::read(const Access &access, uint64_t address, uint32_t count) {
  auto [mark, step] = pages.find(address, count);
  if (!mark)
    return {};
  const uint32_t stamp = clocks.stamp(access.warp, access.lane);
  for (uint64_t at = address; at < address + count; at += step, ++mark) {
    const bool bothStrong = access.strong && mark->flags & StrongWrite;
    if (!bothStrong && !clocks.ordered(access.warp, mark->writer, access.lane, mark->written))
      return {true, true, mark->writer, mark->written % 64, mark->line, at};
    if (!access.strong)
      noteRead(*mark, access, stamp);
  }
  return {};
}

Conflict GlobalRaces::racingRead(const Mark &mark, const Access &access, uint64_t address) const {
  for (size_t i = 0; i < 2; ++i) {
    const ReadMark &read = mark.reads[i];
    const bool lockstep = mark.readers[i] == access.warp && mark.flags & (i ? Converged1 : Converged0);
    if (!lockstep && !clocks.ordered(access.warp, mark.readers[i], access.lane, read.stamp))
      return {true, false, mark.readers[i], read.stamp % 64, read.line, address};
  }
  return {};
}

Conflict GlobalRaces::write(const Access &access, uint64_t address, uint32_t count, const uint8_t *old,
                            const uint8_t *values) {
  auto [mark, step] = pages.find(address, count);
  if (!mark)
    return {};
  const uint32_t stamp = clocks.stamp(access.warp, access.lane);
  for (uint64_t at = address; at < address + count; at += step, ++mark) {
    const bool strong = mark->flags & StrongWrite;
    const bool same = !std::memcmp(old + (at - address), values + (at - address), step);
    const bool agrees = !strong && !access.strong && same;
    if (!agrees && !(strong && access.strong) &&
        !clocks.ordered(access.warp, mark->writer, access.lane, mark->written))
      return {true, true, mark->writer, mark->written % 64, mark->line, at};
    if (const Conflict conflict = racingRead(*mark, access, at); conflict.found)
      return conflict;
    mark->written = stamp;
    mark->line = access.line;
    mark->writer = uint8_t(access.warp);
    mark->flags = uint8_t((mark->flags & ~StrongWrite) | (access.strong ? StrongWrite : 0));
  }
  return {};
}

} // namespace tegula::runtime::ptx
