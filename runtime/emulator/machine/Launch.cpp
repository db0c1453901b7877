#include "runtime/emulator/machine/Launch.h"

#include "runtime/emulator/machine/Deadlock.h"
#include "runtime/emulator/warp/Observer.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace tegula::runtime::ptx {

/// Host memory for the blocks that are resident, their registers and the marks on their shared memory.
static constexpr uint64_t maxResidentBytes = uint64_t(2) << 30;

/// Blocks of `launch` that are resident at most: those that fit on the multiprocessors by warps and shared
/// memory, as far as the host has memory to spare for them.
static uint64_t residentBlocks(const LaunchContext &launch) {
  const Target &on = architectureOf(launch.program->module.target);
  const uint64_t shared = launch.sharedBytes(), warps = launch.warpsPerBlock();
  uint64_t each = std::min<uint64_t>(on.maxBlocksPerMultiprocessor, on.maxWarpsPerMultiprocessor / warps);
  if (shared)
    each = std::min(each, on.sharedPerMultiprocessor / (shared + on.reservedSharedPerBlock()));
  const uint64_t fit = std::max<uint64_t>(1, each) * launch.multiprocessors;
  // A word of shared memory has marks of some sixteen bytes, and eight more for each warp.
  const uint64_t bytes =
      uint64_t(launch.entry->rows) * lanes * sizeof(uint64_t) * warps + shared * (5 + 2 * warps);
  // The blocks of a cluster run side by side.
  const uint64_t most = launch.mostResident ? std::min(fit, launch.mostResident) : fit;
  return std::max<uint64_t>(launch.clusterBlocks,
                            std::clamp<uint64_t>(maxResidentBytes / std::max<uint64_t>(1, bytes), 1, most));
}

/// The place of `number` in an order of `count` that `seed` picks: a Feistel network over the next even
/// number of bits, walked on until it comes back below `count`. It needs no table, for grids are large.
static uint64_t shuffled(uint64_t number, uint64_t count, uint64_t seed) {
  const unsigned half = std::max(1u, unsigned(std::bit_width(count - 1) + 1) / 2);
  const uint64_t mask = lowMask(half);
  do {
    uint64_t left = number >> half, right = number & mask;
    for (uint64_t round = 0; round < 4; ++round)
      left = std::exchange(right, left ^ (Random(seed ^ (round << 56) ^ right).next() & mask));
    number = left << half | right;
  } while (number >= count);
  return number;
}

Schedule::Schedule(LaunchContext &launch)
    : launch(launch), random(launch.seed), count(launch.blockCount()), fit(residentBlocks(launch)) {
  if (launch.seed)
    atOnce = 1 + random.below(std::min(fit, mostAtOnce));
}

bool Schedule::run() {
  while (Resident *next = launch.seed ? pickAtRandom() : pickInOrder())
    if (!runSlice(*next)) {
      if (launch.observer && !launch.fault.empty())
        launch.observer->faulted(launch);
      return false;
    }
  return launch.fault.empty();
}

Schedule::Step Schedule::step() {
  Resident *const next = launch.seed ? pickAtRandom() : pickInOrder();
  if (!next)
    return launch.fault.empty() ? Step::Done : Step::Failed;
  const size_t before = residents.size();
  if (!runSlice(*next))
    return Step::Failed;
  return residents.size() == before && next->waits ? Step::Waits : Step::Goes;
}

Schedule::Resident &Schedule::beginNext() {
  Resident made;
  if (unused.empty()) {
    made.block = std::make_unique<Block>(launch);
  } else {
    made.block = std::move(unused.back());
    unused.pop_back();
  }
  // A cluster begins as a whole, its blocks in order.
  const uint64_t each = launch.clusterBlocks, number = begun / each;
  const uint64_t cluster = launch.seed ? shuffled(number, count / each, launch.seed) : number;
  const uint64_t at = cluster * each + begun % each;
  const Grid &grid = launch.grid;
  if (begun % each == 0 && launch.hasClusters())
    beginning = std::make_shared<Cluster>(launch.clusterBlocks);
  made.block->begin(
      {uint32_t(at % grid.x), uint32_t(at / grid.x % grid.y), uint32_t(at / (uint64_t(grid.x) * grid.y))},
      launch.blocksBefore + uint32_t(++begun), beginning);
  launch.spins.progressed();
  return residents.emplace_back(std::move(made));
}

Schedule::Resident *Schedule::pickInOrder() {
  // Those that wait get every second slice at most: however many they are, the others come to begin.
  asks = !asks;
  for (Resident &one : residents)
    if (asks && one.askAt <= slices)
      return &one;
  if (canBegin())
    return &beginNext();
  const auto next = std::min_element(residents.begin(), residents.end(),
                                     [](const Resident &a, const Resident &b) { return a.askAt < b.askAt; });
  return next == residents.end() ? nullptr : &*next;
}

Schedule::Resident *Schedule::pickAtRandom() {
  const bool allWait = std::all_of(residents.begin(), residents.end(), [](auto &one) { return one.waits; });
  if (canBegin() && (allWait || residents.size() < atOnce))
    return &beginNext();
  return residents.empty() ? nullptr : &residents[random.below(residents.size())];
}

bool Schedule::runSlice(Resident &resident) {
  // A block that shares the machine with no other need not stop.
  const bool shares = launch.seed && (launch.fabric || residents.size() > 1 || canBegin());
  const uint64_t turns = shares ? uint64_t(1) << random.below(8) : ~uint64_t(0);
  ++slices;
  const Block::Outcome outcome = resident.block->run(turns);
  if (outcome == Block::Outcome::Deadlock)
    reportDeadlock(toBlame(*resident.block));
  if (outcome == Block::Outcome::Deadlock || outcome == Block::Outcome::Fault ||
      outcome == Block::Outcome::Interrupted)
    return false;
  if (outcome == Block::Outcome::Ended) {
    remove(resident);
    ++launch.blocksDone;
    launch.spins.progressed();
    if (launch.progress)
      launch.progress(launch.blocksDone);
    return true;
  }
  // One that has waited still does after a slice that was too short to show it: with many of them there would
  // be none in which all wait.
  resident.waits = outcome == Block::Outcome::Waits || (resident.waits && resident.block->seemsStuck());
  resident.timesAsked = resident.waits ? resident.timesAsked + 1 : 0;
  resident.askAt = slices + (uint64_t(1) << std::min(resident.timesAsked, mostDoublings));
  return launch.fabric || !resident.waits || !reportIfStuck();
}

/// Returns the block of a deadlock. One that has come to its cluster's barrier is in one only when all of
/// them wait; then a block that has not come says why.
Block &Schedule::toBlame(Block &waiting) {
  const Cluster *const cluster = waiting.ownCluster.get();
  const std::optional<uint32_t> missing = cluster ? cluster->missing(waiting.rank()) : std::nullopt;
  for (const Resident &one : residents)
    if (missing && one.block->ownCluster.get() == cluster && one.block->rank() == *missing)
      return *one.block;
  return waiting;
}

void Schedule::remove(Resident &resident) {
  ended.push_back(std::move(resident.block));
  residents.erase(residents.begin() + (&resident - residents.data()));
  // Memory that the others of a cluster may still want stays.
  const Cluster *const cluster = ended.back()->ownCluster.get();
  if (cluster && !cluster->hasEnded())
    return;
  const auto gone = std::partition(ended.begin(), ended.end(),
                                   [&](const auto &block) { return block->ownCluster.get() != cluster; });
  std::move(gone, ended.end(), std::back_inserter(unused));
  ended.erase(gone, ended.end());
}

bool Schedule::addWaiting(std::vector<Block *> &blocks, std::vector<SpinDetector::Candidate> &warps,
                          uint64_t &notBegun) {
  // Without a resident block the launch has ended, which shows when it is asked next.
  if (canBegin() || residents.empty())
    return false;
  for (const Resident &one : residents) {
    blocks.push_back(one.block.get());
    const size_t before = warps.size();
    for (Warp &warp : one.block->allWarps())
      if (warp.state != Warp::State::Done)
        warps.push_back({&warp.watch, warp.mayRun()});
    if (warps.size() == before) // it ends when it is asked next, and makes room
      return false;
  }
  notBegun += count - begun;
  return true;
}

bool Schedule::reportIfStuck() {
  std::vector<Block *> blocks;
  std::vector<SpinDetector::Candidate> warps;
  uint64_t notBegun = 0;
  if (!addWaiting(blocks, warps, notBegun) || !launch.spins.areStuck(warps))
    return false;
  reportStuck(launch, blocks, notBegun);
  return true;
}

bool runLaunch(LaunchContext &launch) {
  if (launch.observer && !launch.observer->launchBegins(launch)) {
    launch.isGivenUp = true;
    return false;
  }
  return Schedule(launch).run();
}

} // namespace tegula::runtime::ptx
