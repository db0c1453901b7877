#include "runtime/emulator/memory/Clocks.h"

#include <algorithm>

namespace tegula::runtime::ptx {

/// Stamps have 26 bits for the moment.
static constexpr uint32_t maxMoment = (1u << 26) - 2;

static void join(std::vector<uint32_t> &into, const std::vector<uint32_t> &from) {
  if (into.empty()) {
    into = from;
    return;
  }
  for (size_t i = 0; i < from.size(); ++i)
    into[i] = std::max(into[i], from[i]);
}

void Clocks::configure(uint32_t warpCount, uint32_t agentCount, uint32_t readerCount, bool inCluster) {
  warps = warpCount;
  readerColumns = warps + readerCount;
  columns = warps + agentCount + inCluster;
  agents.assign(agentCount, 0);
  clocks.assign(size_t(warps) * columns, 0);
  published.assign(clocks.size(), 0);
  fenced.resize(warps);
  observed.resize(warps);
  latest = 1;
  restart();
}

bool Clocks::beginBlock() {
  if (latest >= maxMoment / 2)
    return false;
  base = ++latest;
  // Every warp knows the others' past and is itself one moment ahead of what they know of it.
  std::fill(clocks.begin(), clocks.end(), base);
  std::fill(published.begin(), published.end(), base);
  for (uint32_t warp = 0; warp < warps; ++warp)
    clocks[size_t(warp) * columns + warp] = base + 1;
  std::fill(agents.begin(), agents.end(), base);
  latest = base + 1;
  for (uint32_t warp = 0; warp < warps; ++warp) {
    fenced[warp].clear();
    observed[warp].clear();
  }
  return true;
}

void Clocks::restart() {
  latest = 0;
  (void)beginBlock();
}

bool Clocks::tick(uint32_t warp) {
  uint32_t &moment = clocks[size_t(warp) * columns + warp];
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
  uint32_t &known = clocks[size_t(warp) * columns + columnOf(agent)];
  known = std::max(known, moment);
}

void Clocks::releaseAgent(uint32_t agent, uint32_t moment, Clock &clock) const {
  uint32_t &known = clock[columnOf(agent)];
  known = std::max(known, moment);
}

void Clocks::release(uint32_t warp, Clock &clock) const {
  for (uint32_t other = 0; other < columns; ++other) {
    clock[other] = std::max(clock[other], clocks[size_t(warp) * columns + other]);
    clock[columns + other] = std::max(clock[columns + other], published[size_t(warp) * columns + other]);
  }
}

void Clocks::publish(uint32_t warp) {
  for (uint32_t other = 0; other < columns; ++other) {
    uint32_t &known = published[size_t(warp) * columns + other];
    known = std::max(known, clocks[size_t(warp) * columns + other]);
  }
}

void Clocks::acquire(uint32_t warp, const Clock &clock) {
  for (uint32_t other = 0; other < columns; ++other) {
    uint32_t &known = clocks[size_t(warp) * columns + other];
    // A warp's own entry exceeds any clock that it handed out.
    if (other != warp)
      known = std::max(known, clock[other]);
    uint32_t &seen = published[size_t(warp) * columns + other];
    seen = std::max(seen, clock[columns + other]);
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
