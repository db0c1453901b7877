#include "runtime/emulator/machine/Block.h"

#include "runtime/emulator/warp/Observer.h"

#include <algorithm>
#include <utility>

namespace tegula::runtime::ptx {

/// Mbarriers beyond these share agents: then a wait for one counts as one for the other as well.
static constexpr uint32_t agentsOfBulkLoads = 32;

uint32_t clockColumns(const LaunchContext &launch) {
  const uint32_t loads = launch.program->module.loadsInBulk ? agentsOfBulkLoads : 0;
  const uint32_t warps = launch.warpsPerBlock();
  return warps + GroupProducts::groupsOf(warps) + launch.hasClusters() + loads;
}

static Clocks clocksFor(const LaunchContext &launch) {
  const uint32_t warps = launch.warpsPerBlock(), columns = clockColumns(launch);
  Clocks clocks;
  clocks.configure(warps, columns - warps, GroupProducts::groupsOf(warps),
                   launch.fabric ? launch.fabric->order.columnCount() : columns * launch.clusterBlocks);
  return clocks;
}

Block::Block(LaunchContext &launch)
    : BlockState(launch, clocksFor(launch)), warps(launch.warpsPerBlock()),
      asyncCopies(launch.warpsPerBlock()), products(*this, warps), mbarriers(*this, warps),
      bulkCopies(*this, warps, mbarriers), registers(launch.warpsPerBlock()), barriers(*this, warps) {
  ready.reserve(warps.size());
}

void Block::begin(std::array<uint32_t, 3> blockIndex, BlockRaces::BlockNumber number,
                  std::shared_ptr<Cluster> joined) {
  BlockState::begin(blockIndex, number);
  ownCluster = std::move(joined);
  cluster = ownCluster.get();
  asyncCopies.beginBlock();
  products.beginBlock();
  bulkCopies.beginBlock();
  mbarriers.beginBlock();
  registers.beginBlock();
  barriers.beginBlock();
  wasPolled = false;
  for (uint32_t i = 0; i < warps.size(); ++i) {
    const uint32_t threads = std::min<uint32_t>(lanes, launch.threads - i * lanes);
    warps[i].begin(*this, i, *launch.entry, uint32_t(lowMask(threads)));
  }
  if (ownCluster)
    ownCluster->blockBegins(*this, warps, rank());
  random =
      Random(launch.seed ^ (uint64_t(blockIndex[0]) << 40 ^ uint64_t(blockIndex[1]) << 20 ^ blockIndex[2]));
  ranks.clear();
  for (size_t i = 0; launch.seed && i < warps.size(); ++i)
    ranks.push_back(random.next());
  if (launch.observer)
    launch.observer->blockBegins(*this, warps);
}

/// With a seed half the turns go to the ready warp of the highest rank: some run far ahead of the others.
uint32_t Block::pickWarp() {
  if (ranks.empty() || random.below(2))
    return ready[random.below(ready.size())];
  return *std::max_element(ready.begin(), ready.end(),
                           [&](uint32_t a, uint32_t b) { return ranks[a] < ranks[b]; });
}

Warp &Block::takeTurn() {
  Warp &warp = warps[pickWarp()];
  if (launch.instructionsLeft == 0) {
    warp.fault(wholeWarp, "the kernel did not end within {} instructions", launch.instructionLimit);
    return warp;
  }
  // A single ready warp has no other to interleave with.
  const uint64_t quantum = ready.size() == 1 ? 4096 : 1 + random.below(uint64_t(1) << random.below(10));
  launch.spins.runs(warp.watch);
  const uint64_t most = std::min(quantum, launch.instructionsLeft);
  if (launch.observer)
    runObserved(warp, most);
  else
    warp.run(most);
  if (warp.state == Warp::State::Done) {
    barriers.warpEnded();
    if (ownCluster)
      ownCluster->warpEnded();
  }
  return warp;
}

void Block::runObserved(Warp &warp, uint64_t quantum) {
  for (; quantum; --quantum) {
    warp.settle();
    if (warp.state != Warp::State::Ready)
      return;
    if (!launch.observer->before(warp)) {
      launch.isGivenUp = true;
      return;
    }
    warp.run(1);
  }
}

/// In the natural order loads come as late as the program allows: when a warp asks for one in vain, or none
/// can go on. With a seed they come at any time and in any order.
bool Block::landCopies() {
  const bool must = std::exchange(wasPolled, false) || ready.empty();
  if (bulkCopies.loadsUnderWay() && (must || chance(4)))
    bulkCopies.land(launch.seed ? &random : nullptr);
  return launch.fault.empty();
}

bool Block::timeOut() {
  bool any = false;
  for (Warp &warp : warps)
    if (warp.state == Warp::State::Waiting && warp.rests == Warp::Rest::Mbarrier) {
      warp.state = Warp::State::Ready;
      warp.timesOut = any = true;
    }
  return any;
}

bool Block::findReady() {
  ready.clear();
  bool done = true;
  for (uint32_t i = 0; i < warps.size(); ++i) {
    if (warps[i].state == Warp::State::Ready)
      ready.push_back(i);
    done &= warps[i].state == Warp::State::Done;
  }
  return !done;
}

Block::Outcome Block::end() {
  faults.raiseUnwritten();
  if (launch.fault.empty())
    products.reportAbsent();
  if (launch.fault.empty())
    bulkCopies.endBlock();
  if (launch.fault.empty())
    mbarriers.endBlock();
  if (!launch.fault.empty())
    return Outcome::Fault;
  if (ownCluster)
    ownCluster->blockEnds(rank());
  if (launch.fabric)
    launch.fabric->order.endBlock(launch.device, clocks);
  if (launch.observer)
    launch.observer->blockEnds(*this);
  return Outcome::Ended;
}

Block::Outcome Block::run(uint64_t turns) {
  for (; turns; --turns) {
    // To look at the clock before each turn would be a hundredth of the time.
    if (turns % 64 == 0 && launch.interruption.isRequested())
      return Outcome::Interrupted;
    if (!findReady())
      return end();
    const bool mayLand = bulkCopies.loadsUnderWay();
    if (!landCopies())
      return Outcome::Fault;
    if (ready.empty()) {
      // More copies, or whom the last one has woken, come first.
      if (mayLand || timeOut())
        continue;
      if (waitsForCluster() && ownCluster->mayWait(rank()))
        return Outcome::Waits;
      products.reportAbsent();
      return launch.fault.empty() ? Outcome::Deadlock : Outcome::Fault;
    }
    Warp &ran = takeTurn();
    if (!launch.fault.empty())
      return Outcome::Fault;
    if (launch.isGivenUp)
      return Outcome::Interrupted;
    if (std::exchange(ran.watch.sampled, false) && seemsStuck())
      return Outcome::Waits;
  }
  return Outcome::Ran;
}

bool Block::waitsForCluster() const {
  return std::ranges::any_of(warps, [](const Warp &warp) {
    return warp.state == Warp::State::Waiting && warp.rests == Warp::Rest::Cluster;
  });
}

bool Block::seemsStuck() const {
  // Without a warp that can run the block has ended, or is in a deadlock of its own.
  bool goesRound = false;
  for (const Warp &warp : warps) {
    if (!warp.mayRun())
      continue;
    if (!launch.spins.seemsStuck(warp.watch))
      return false;
    goesRound = true;
  }
  return goesRound;
}

} // namespace tegula::runtime::ptx
