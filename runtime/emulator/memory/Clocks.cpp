#include "runtime/emulator/memory/Clocks.h"

#include <algorithm>

namespace tegula::runtime::ptx {

/// Stamps have 26 bits for the moment.
static constexpr uint32_t maxMoment = (1u << 26) - 2;

void Clocks::join(Clock &into, const Clock &from) {
  if (into.size() < from.size())
    into.resize(from.size());
  for (size_t i = 0; i < from.size(); ++i)
    into[i] = std::max(into[i], from[i]);
}

void Clocks::configure(uint32_t warpCount, uint32_t agentCount, uint32_t readerCount, uint32_t allColumns) {
  warps = warpCount;
  readerColumns = warps + readerCount;
  columns = warps + agentCount;
  width = std::max(columns, allColumns);
  first = 0;
  agents.assign(agentCount, 0);
  clocks.assign(size_t(warps) * width, 0);
  published.assign(clocks.size(), 0);
  fenced.resize(warps);
  observed.resize(warps);
  latest = 1;
  restart();
}

void Clocks::fillOwn(std::vector<uint32_t> &table) const {
  for (uint32_t warp = 0; warp < warps; ++warp)
    std::fill_n(table.begin() + long(entry(warp, 0)), columns, base);
}

void Clocks::startMoments() {
  base = ++latest;
  // Every warp knows the others' past and is itself one moment ahead of what they know of it.
  fillOwn(clocks);
  fillOwn(published);
  for (uint32_t warp = 0; warp < warps; ++warp)
    clocks[entry(warp, warp)] = base + 1;
  std::fill(agents.begin(), agents.end(), base);
  latest = base + 1;
  for (uint32_t warp = 0; warp < warps; ++warp) {
    fenced[warp].clear();
    observed[warp].clear();
  }
}

void Clocks::widen(uint32_t wider) {
  for (std::vector<uint32_t> *const table : {&clocks, &published}) {
    std::vector<uint32_t> made(size_t(warps) * wider);
    for (uint32_t warp = 0; warp < warps; ++warp)
      std::copy_n(table->begin() + long(size_t(warp) * width), width,
                  made.begin() + long(size_t(warp) * wider));
    *table = std::move(made);
  }
  width = wider;
}

bool Clocks::beginBlock(uint32_t firstColumn) {
  if (latest >= maxMoment / 2)
    return false;
  first = firstColumn;
  if (first + columns > width)
    widen(first + columns);
  std::fill(clocks.begin(), clocks.end(), 0);
  std::fill(published.begin(), published.end(), 0);
  startMoments();
  return true;
}

void Clocks::restart() {
  latest = 0;
  startMoments();
}

void Clocks::forget(const Clocks &other) {
  for (uint32_t warp = 0; warp < warps; ++warp)
    for (std::vector<uint32_t> *const table : {&clocks, &published})
      std::fill_n(table->begin() + long(size_t(warp) * width + other.first), columns, 0);
}

bool Clocks::tick(uint32_t warp) {
  uint32_t &moment = clocks[entry(warp, warp)];
  if (moment >= maxMoment)
    return false;
  ++moment;
  latest = std::max(latest, moment);
  return true;
}

bool Clocks::tickAgent(uint32_t agent) {
  if (agents[agent] >= maxMoment)
    return false;
  latest = std::max(latest, ++agents[agent]);
  return true;
}

void Clocks::learn(uint32_t warp, uint32_t agent, uint32_t moment) {
  uint32_t &known = clocks[entry(warp, columnOf(agent))];
  known = std::max(known, moment);
}

void Clocks::releaseAgent(uint32_t agent, uint32_t moment, Clock &clock) const {
  uint32_t &known = clock[(first + columnOf(agent)) * size_t(2)];
  known = std::max(known, moment);
}

void Clocks::release(uint32_t warp, Clock &clock) const {
  const size_t row = size_t(warp) * width;
  if (clock.size() < size_t(width) * 2)
    clock.resize(size_t(width) * 2);
  for (size_t other = 0; other < width; ++other) {
    clock[other * 2] = std::max(clock[other * 2], clocks[row + other]);
    clock[other * 2 + 1] = std::max(clock[other * 2 + 1], published[row + other]);
  }
}

void Clocks::publish(uint32_t warp) {
  const size_t row = size_t(warp) * width;
  for (uint32_t other = 0; other < width; ++other)
    published[row + other] = std::max(published[row + other], clocks[row + other]);
}

void Clocks::acquire(uint32_t warp, const Clock &clock) {
  const size_t known = clock.size() / 2;
  if (known > width)
    widen(uint32_t(known));
  const size_t row = size_t(warp) * width;
  for (size_t other = 0; other < known; ++other) {
    // A warp's own entry exceeds any clock that it handed out.
    if (other != first + warp)
      clocks[row + other] = std::max(clocks[row + other], clock[other * 2]);
    published[row + other] = std::max(published[row + other], clock[other * 2 + 1]);
  }
}

void Clocks::readStrong(uint32_t warp, const Clock &place, bool acquires) {
  if (acquires)
    acquire(warp, place);
  else
    join(observed[warp], place);
}

void Clocks::writeStrong(uint32_t warp, Clock &place, bool releases) const {
  if (releases)
    release(warp, place);
  else if (!fenced[warp].empty())
    join(place, fenced[warp]);
}

void Clocks::fence(uint32_t warp) {
  if (!observed[warp].empty())
    acquire(warp, observed[warp]);
  fenced[warp] = emptyClock();
  release(warp, fenced[warp]);
}

} // namespace tegula::runtime::ptx
