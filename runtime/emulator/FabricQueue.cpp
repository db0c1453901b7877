#include "runtime/emulator/FabricQueue.h"

#include "runtime/emulator/Schedules.h"

#include <algorithm>
#include <utility>

namespace tegula::runtime {

void FabricQueue::add(uint32_t rank, FabricLaunch launch) {
  const std::lock_guard lock(mutex);
  queues[rank].push_back(std::move(launch));
}

void FabricQueue::drop() {
  // Programs take the lock when they are unloaded.
  FabricLaunches taken(queues.size());
  const std::lock_guard lock(mutex);
  std::swap(taken, queues);
}

Result<void> FabricQueue::settle() {
  const std::optional<uint32_t> rank = FabricHosts::ownRank();
  if (!rank)
    return runQueued();
  {
    // A host goes on only when its device has nothing left to do.
    const std::lock_guard lock(mutex);
    if (queues[*rank].empty())
      return {};
  }
  return FabricHosts::waitForDevice();
}

Result<void> FabricQueue::runQueued() {
  FabricLaunches taken(queues.size());
  std::unique_lock lock(mutex);
  if (hasHosts)
    return {};
  std::swap(taken, queues);
  if (std::ranges::all_of(taken, [](const auto &queue) { return queue.empty(); }))
    return {};
  return runUnderSchedules(memory.memory, schedules, firstSeed,
                           [&](uint32_t schedule, uint64_t seed) -> Result<void> {
                             FabricRun run(memory, world(), resident, seed, schedule == 0);
                             run.add(taken);
                             TRY(run.run());
                             return run.checkPads();
                           });
}

Result<void> FabricQueue::run(uint64_t seed, bool checksPads, FabricHosts::Host host, uint32_t *culprit) {
  TRY(settle());
  // Programs take the lock when they are unloaded: what holds them goes after it.
  std::unique_ptr<FabricRun> run;
  FabricLaunches left(queues.size());
  std::unique_lock lock(mutex);
  if (hasHosts || FabricHosts::ownRank())
    return Error{ErrorKind::InvalidArgument, "the fabric runs already"};
  run = std::make_unique<FabricRun>(memory, world(), resident, seed, /*reports=*/true);
  FabricHosts hosts(world(), std::move(host));
  hasHosts = true;
  Result<void> done = run->run(hosts, lock, [&] { return std::exchange(queues, FabricLaunches(world())); });
  if (done && checksPads)
    done = run->checkPads();
  lock.unlock();
  if (!done)
    hosts.cancel(run->culprit(), done.error());
  lock.lock();
  std::swap(left, queues);
  memory.unshare();
  hasHosts = false;
  if (culprit)
    *culprit = run->culprit();
  return done;
}

Result<void> FabricQueue::meet(bool orders) {
  if (!FabricHosts::ownRank())
    return Error{ErrorKind::InvalidArgument,
                 "only the host of a rank that a fabric runs may wait for the others"};
  return FabricHosts::meet(orders);
}

} // namespace tegula::runtime
