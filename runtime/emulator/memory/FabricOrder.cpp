#include "runtime/emulator/memory/FabricOrder.h"

#include <algorithm>

namespace tegula::runtime::ptx {

/// Columns beyond these begin anew: then a race may be missed.
static constexpr uint32_t mostColumns = 1u << 15;
/// Signals between two blocks, and signals and waits of one block, that are remembered.
static constexpr size_t edgesKept = 6, stampsKept = 8;

void FabricOrder::begin(uint32_t world) {
  forget();
  known.assign(world, Clock(size_t(world) * 2));
  ended = known;
  turns.assign(world, 0);
  columns = world; // a host's is the number of its device
}

void FabricOrder::forget() {
  marks.clear();
  places.clear();
  edges.clear();
  stamps.clear();
}

uint32_t FabricOrder::addColumns(uint32_t count) {
  if (columns + count > mostColumns) {
    forget();
    columns = uint32_t(turns.size());
  }
  const uint32_t first = columns;
  columns += count;
  return first;
}

void FabricOrder::beginLaunch(uint32_t device) {
  known[device] = ended[device];
  // Units see what is there when a launch begins.
  for (size_t column = 0; column < known[device].size(); column += 2)
    known[device][column + 1] = known[device][column];
  turns[device] += turns[device] % 2 ? 2 : 1; // those of launches are odd
  // No more is asked than what the launch before has done.
  const uint32_t turn = turns[device];
  const auto isOld = [&](const FabricAccess &access) {
    return access.device == device && access.turn + 4 < turn;
  };
  std::erase_if(edges, [&](const auto &entry) {
    const Edge &last = entry.second.back();
    return isOld(last.signal.access) || isOld(last.wait.access);
  });
}

void FabricOrder::beginBlock(uint32_t device, Clocks &clocks) const {
  for (uint32_t warp = 0; warp < clocks.warpCount(); ++warp)
    clocks.acquire(warp, known[device]);
}

void FabricOrder::endBlock(uint32_t device, Clocks &clocks) {
  for (uint32_t warp = 0; warp < clocks.warpCount(); ++warp) {
    clocks.fence(warp);
    clocks.release(warp, ended[device]);
  }
}

FabricAccess FabricOrder::now(FabricAccess access, const Clocks &clocks) {
  access.column = clocks.wideColumn(access.warp);
  access.moment = clocks.moment(access.warp);
  access.time = ++time;
  access.turn = turns[access.device];
  if (const auto found = stamps.find(access.block); found != stamps.end())
    for (const Stamp &stamp : found->second)
      if (stamp.column == access.column || clocks.known(access.warp, stamp.column) >= stamp.moment)
        access.follows = std::max(access.follows, stamp.time);
  return access;
}

bool FabricOrder::races(const FabricAccess &earlier, const FabricAccess &later, uint32_t known) {
  const bool areMutual = earlier.strong && later.strong && earlier.reachesAll && later.reachesAll;
  return earlier.time && earlier.device != later.device && !areMutual && known < earlier.moment;
}

FabricConflict FabricOrder::read(const FabricAccess &access, const Clocks &clocks, uint64_t address,
                                 uint32_t count) {
  auto [mark, step] = marks.find(address, count);
  if (!mark)
    return {};
  const auto knownOf = [&](uint32_t column) { return clocks.known(access.warp, column); };
  FabricConflict found;
  for (uint64_t at = address; at < address + count; at += step, ++mark) {
    if (!found.found && races(mark->write, access, knownOf(mark->write.column)))
      found = {true, true, false, mark->write, access, at};
    // A read that comes before this one is not worth keeping: what races with it races with this one.
    std::erase_if(mark->reads, [&](const FabricAccess &read) {
      return read.column == access.column || knownOf(read.column) >= read.moment;
    });
    mark->reads.push_back(access);
  }
  return found;
}

template <typename Known>
FabricConflict FabricOrder::writeBy(const FabricAccess &access, uint64_t address, uint32_t count,
                                    Known knownOf) {
  auto [mark, step] = marks.find(address, count);
  if (!mark)
    return {};
  FabricConflict found;
  const auto compare = [&](const FabricAccess &other, bool wasWrite, uint64_t at) {
    if (!found.found && races(other, access, knownOf(other.column)))
      found = {true, wasWrite, true, other, access, at};
  };
  for (uint64_t at = address; at < address + count; at += step, ++mark) {
    compare(mark->write, true, at);
    for (const FabricAccess &read : mark->reads)
      compare(read, false, at);
    mark->write = access;
    mark->reads.clear();
  }
  return found;
}

const FabricAccess *FabricOrder::unpublished(uint32_t device, uint32_t warp, const Clocks &clocks,
                                             uint64_t address, uint32_t count) {
  auto [mark, step] = marks.find(address, count);
  for (uint64_t at = address; mark && at < address + count; at += step, ++mark)
    if (const FabricAccess &write = mark->write;
        write.time && write.device != device && clocks.knownToUnits(warp, write.column) < write.moment)
      return &write;
  return nullptr;
}

FabricConflict FabricOrder::write(const FabricAccess &access, const Clocks &clocks, uint64_t address,
                                  uint32_t count) {
  return writeBy(access, address, count, [&](uint32_t column) { return clocks.known(access.warp, column); });
}

FabricConflict FabricOrder::hostWrote(uint32_t device, uint64_t address, uint32_t count) {
  Clock &clock = ended[device];
  // It comes after the launches so far, and before the next one.
  turns[device] += turns[device] % 2;
  FabricAccess access;
  access.time = ++time;
  access.device = device;
  access.column = device;
  access.moment = ++clock[size_t(device) * 2];
  access.turn = turns[device];
  access.isHost = true;
  return writeBy(access, address, count, [&](uint32_t column) { return Clocks::known(clock, column); });
}

FabricOrder::SyncPoint FabricOrder::pointOf(const FabricAccess &access, const Clocks &clocks, bool orders) {
  SyncPoint point{access, clocks.firstColumn(), {}, orders};
  for (uint32_t i = 0; i < clocks.ownColumns(); ++i)
    point.knew.push_back(clocks.known(access.warp, point.first + i));
  std::deque<Stamp> &own = stamps[access.block];
  if (own.size() == stampsKept)
    own.pop_front();
  own.push_back({access.time, access.column, access.moment});
  return point;
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
  const FabricAccess &last = place.last.access;
  if (!last.time || last.device == access.device)
    return;
  std::deque<Edge> &between = edges[{last.block, access.block}];
  // Of a loop that looks again and again the first look counts.
  for (const Edge &edge : between)
    if (edge.signal.access.time == last.time && edge.wait.access.column == access.column)
      return;
  if (between.size() == edgesKept)
    between.pop_front();
  between.push_back({place.last, pointOf(access, clocks, acquires)});
  ++seen;
}

void FabricOrder::signal(const FabricAccess &access, const Clocks &clocks, uint64_t address, bool releases,
                         bool changes) {
  Place &place = places[address];
  // A launch releases what came before it when it begins, so that any signal of it hands that on.
  Clocks::join(place.local[access.device], known[access.device]);
  if (access.reachesAll)
    Clocks::join(place.everywhere, known[access.device]);
  if (clocks.handsOn(access.warp, releases)) {
    clocks.writeStrong(access.warp, place.local[access.device], releases);
    if (access.reachesAll)
      clocks.writeStrong(access.warp, place.everywhere, releases);
  }
  if (changes)
    place.last = pointOf(access, clocks, clocks.handsOn(access.warp, releases));
}

const FabricAccess *FabricOrder::lastSignal(uint64_t address) const {
  const auto place = places.find(address);
  return place == places.end() || !place->second.last.access.time ? nullptr : &place->second.last.access;
}

FabricOrder::Relation FabricOrder::relation(const FabricAccess &access, const SyncPoint &point) {
  const FabricAccess &sync = point.access;
  if (access.turn != sync.turn)
    return access.turn < sync.turn ? Relation::Before : Relation::After;
  if (access.block != sync.block)
    return Relation::Unordered;
  if (access.column == sync.column)
    return access.time < sync.time ? Relation::Before : Relation::After;
  const uint32_t own = access.column - point.first;
  if (own < point.knew.size() && point.knew[own] >= access.moment)
    return Relation::Before;
  return access.follows >= sync.time ? Relation::After : Relation::Unordered;
}

std::optional<Missing> FabricOrder::missingAt(const Edge &edge, const FabricAccess &first,
                                              const FabricAccess &second) {
  const auto isOther = [](const FabricAccess &access, const SyncPoint &point) {
    return access.device != point.access.device ||
           (access.turn == point.access.turn && access.block != point.access.block);
  };
  if (isOther(first, edge.signal) || isOther(second, edge.wait))
    return {};
  const Relation before = relation(first, edge.signal), after = relation(second, edge.wait);
  if (before == Relation::After || after == Relation::Before)
    return {};
  if (before == Relation::Unordered)
    return Missing::BarrierBefore;
  if (!edge.signal.orders)
    return Missing::Release;
  if (!edge.wait.orders)
    return Missing::Acquire;
  if (after == Relation::Unordered)
    return Missing::BarrierAfter;
  return {};
}

std::optional<FabricReason> FabricOrder::reasonBetween(const FabricAccess &first,
                                                       const FabricAccess &second) const {
  std::optional<FabricReason> best;
  for (const auto &[blocks, between] : edges)
    for (const Edge &edge : between)
      if (const std::optional<Missing> missing = missingAt(edge, first, second);
          missing && (!best || edge.signal.access.time > best->signal.time))
        best = {*missing, edge.signal.access, edge.wait.access};
  return best;
}

bool FabricOrder::isOverwritten(const FabricAccess &read, const FabricAccess &write) const {
  for (const auto &[blocks, between] : edges)
    for (const Edge &edge : between)
      if (edge.signal.access.device == write.device && edge.wait.access.device == read.device &&
          relation(write, edge.signal) == Relation::After && relation(read, edge.wait) == Relation::After)
        return true;
  return false;
}

FabricReason FabricOrder::reasonOf(const FabricConflict &conflict) const {
  const FabricAccess &a = conflict.earlier, &b = conflict.later;
  if (a.strong && b.strong)
    return {Missing::Scope, {}, {}};
  // The later one in time should come second, as a rule; the other way is looked at as well.
  if (const auto reason = reasonBetween(a, b))
    return *reason;
  if (const auto reason = reasonBetween(b, a))
    return *reason;
  if (conflict.wasWrite != conflict.isWrite) {
    const FabricAccess &read = conflict.wasWrite ? b : a, &write = conflict.wasWrite ? a : b;
    if (isOverwritten(read, write))
      return {Missing::ClosingWait, {}, {}};
  }
  return {};
}

} // namespace tegula::runtime::ptx
