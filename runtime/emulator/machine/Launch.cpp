#include "runtime/emulator/machine/Launch.h"

#include "runtime/emulator/Random.h"
#include "runtime/emulator/machine/Block.h"
#include "runtime/emulator/machine/Deadlock.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <memory>
#include <optional>
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

namespace {

/// The blocks that are resident, and whose turn it is.
///
/// In the natural order (seed 0) a block runs until it ends, or until its warps only wait: then the next one
/// begins, as long as one fits, and the waiting one is asked again from time to time. Any other seed picks
/// how many blocks are resident from the start and changes between them at random; more begin when all of
/// those wait.
class Schedule {
public:
  explicit Schedule(LaunchContext &launch)
      : launch(launch), random(launch.seed), count(launch.blockCount()), fit(residentBlocks(launch)) {
    if (launch.seed)
      atOnce = 1 + random.below(std::min(fit, mostAtOnce));
  }

  /// False when there was a fault or an interruption.
  bool run() {
    while (Resident *next = launch.seed ? pickAtRandom() : pickInOrder())
      if (!runSlice(*next))
        return false;
    return launch.fault.empty();
  }

  enum class Step : uint8_t { Goes, Waits, Done, Failed };
  /// Gives one block one slice, where other launches run side by side.
  Step step() {
    Resident *const next = launch.seed ? pickAtRandom() : pickInOrder();
    if (!next)
      return launch.fault.empty() ? Step::Done : Step::Failed;
    const size_t before = residents.size();
    if (!runSlice(*next))
      return Step::Failed;
    return residents.size() == before && next->waits ? Step::Waits : Step::Goes;
  }
  /// Adds what is resident. False where blocks may begin, or one will end when it is asked next.
  bool addWaiting(std::vector<Block *> &blocks, std::vector<SpinDetector::Candidate> &warps,
                  uint64_t &notBegun);

private:
  struct Resident {
    std::unique_ptr<Block> block;
    bool waits = false;      ///< its warps went nowhere when it ran last
    uint32_t timesAsked = 0; ///< of which each ended in waiting
    uint64_t askAt = 0;      ///< the slice from which on it is worth asking again
  };
  /// Blocks that a seed other than 0 runs at once, when they do not wait for more: enough for all orders of a
  /// few to come up, and few enough for their registers to stay in the host's cache.
  static constexpr uint64_t mostAtOnce = 8;
  /// A waiting block is asked after 1, 2, 4, ... other slices, at most this many, so that one that waits for
  /// a million others does not cost a million visits.
  static constexpr uint32_t mostDoublings = 6;

  /// A cluster begins where all of it fits, and then its other blocks may follow.
  bool canBegin() const {
    const uint64_t each = launch.clusterBlocks;
    return begun < count && (begun % each != 0 || residents.size() + ended.size() + each <= fit);
  }
  Resident &beginNext();
  Resident *pickInOrder();
  Resident *pickAtRandom();
  bool runSlice(Resident &resident);
  Block &toBlame(Block &waiting);
  void remove(Resident &resident);
  bool reportIfStuck();

  LaunchContext &launch;
  Random random;
  const uint64_t count, fit;
  uint64_t begun = 0, slices = 0, atOnce = 1;
  bool asks = false;               ///< whether blocks that wait come before those that have not begun
  std::vector<Resident> residents; ///< in the order in which they began
  std::vector<std::unique_ptr<Block>> ended;  ///< of clusters that have not
  std::vector<std::unique_ptr<Block>> unused; ///< for blocks to come
  std::shared_ptr<Cluster> beginning; ///< of which the last block belongs to; null where there are none
};

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
  resident.waits = outcome == Block::Outcome::Waits;
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

/// A device of a fabric: its launches, and the one that runs.
struct DeviceRun {
  std::span<LaunchContext *const> left;
  std::unique_ptr<Schedule> head;
};

/// Ends the run where no device gets any further.
bool reportIfStuck(std::span<DeviceRun> devices, SpinDetector &spins) {
  std::vector<Block *> blocks;
  std::vector<SpinDetector::Candidate> warps;
  uint64_t notBegun = 0;
  for (DeviceRun &device : devices)
    if (!device.left.empty() && (!device.head || !device.head->addWaiting(blocks, warps, notBegun)))
      return false;
  if (blocks.empty() || !spins.areStuck(warps))
    return false;
  reportStuck(blocks.front()->launch, blocks, notBegun);
  return true;
}

} // namespace

bool runLaunch(LaunchContext &launch) { return Schedule(launch).run(); }

bool runSideBySide(std::span<const std::vector<LaunchContext *>> queues, SpinDetector &spins, uint64_t seed) {
  std::vector<DeviceRun> devices;
  for (const std::vector<LaunchContext *> &queue : queues)
    devices.push_back({queue, nullptr});
  Random random(seed);
  std::vector<DeviceRun *> running;
  for (uint64_t turn = 0;; ++turn) {
    running.clear();
    for (DeviceRun &device : devices)
      if (!device.left.empty())
        running.push_back(&device);
    if (running.empty())
      return true;
    DeviceRun &device = *running[(seed ? random.next() : turn) % running.size()];
    LaunchContext &launch = *device.left.front();
    if (!device.head) {
      launch.fabric->beginLaunch(launch.device);
      device.head = std::make_unique<Schedule>(launch);
    }
    const Schedule::Step step = device.head->step();
    if (step == Schedule::Step::Failed)
      return false;
    if (step == Schedule::Step::Done) {
      device.head = nullptr;
      device.left = device.left.subspan(1);
      spins.progressed();
    }
    if (step == Schedule::Step::Waits && reportIfStuck(devices, spins))
      return false;
  }
}

} // namespace tegula::runtime::ptx
