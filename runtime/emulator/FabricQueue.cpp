#include "runtime/emulator/FabricQueue.h"

#include "runtime/emulator/Schedules.h"
#include "runtime/emulator/machine/Block.h"
#include "runtime/emulator/warp/DeviceAccess.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace tegula::runtime {

void FabricQueue::add(uint32_t rank, Queued launch) {
  const std::lock_guard lock(mutex);
  queues[rank].push_back(std::move(launch));
}

void FabricQueue::drop() {
  // Programs take the lock when they are unloaded.
  Queues taken(queues.size());
  const std::lock_guard lock(mutex);
  std::swap(taken, queues);
}

Result<void> FabricQueue::run() {
  Queues taken(queues.size());
  const std::lock_guard lock(mutex);
  std::swap(taken, queues);
  if (std::ranges::all_of(taken, [](const auto &queue) { return queue.empty(); }))
    return {};
  return runUnderSchedules(memory, schedules, firstSeed, [&](uint32_t schedule, uint64_t seed) {
    return runOnce(taken, seed, schedule == 0);
  });
}

Result<void> FabricQueue::runOnce(const Queues &taken, uint64_t seed, bool reports) {
  ptx::SpinDetector spins;
  std::vector<std::string> printed;
  size_t count = 0;
  for (const auto &queue : taken)
    count += queue.size();
  printed.resize(count);
  std::vector<std::unique_ptr<ptx::LaunchContext>> made;
  std::vector<ptx::LaunchContext *> all;
  std::vector<std::vector<ptx::LaunchContext *>> byRank(taken.size());
  uint32_t blocks = 0, columns = 0;
  for (uint32_t rank = 0; rank < taken.size(); ++rank)
    for (const Queued &queued : taken[rank]) {
      made.push_back(std::make_unique<ptx::LaunchContext>(&spins));
      ptx::LaunchContext &launch = *made.back();
      launch.printed = &printed[all.size()];
      // Devices must not take the same turns.
      queued.prepare(launch, seed ? ptx::mixHash(seed, rank + 1) | 1 : 0);
      launch.fabric = &order;
      launch.device = rank;
      launch.number = uint32_t(all.size());
      launch.companions = &all;
      launch.blocksBefore = blocks;
      launch.mostResident = resident;
      blocks += uint32_t(launch.blockCount());
      columns = std::max(columns, ptx::clockColumns(launch));
      all.push_back(&launch);
      byRank[rank].push_back(&launch);
    }
  order.begin(world(), blocks, columns);
  ptx::runSideBySide(byRank, spins, seed);
  size_t number = 0;
  for (const auto &queue : taken)
    for (const Queued &queued : queue)
      if (const ptx::LaunchContext &launch = *all[number++]; reports)
        queued.count(launch);
  for (ptx::LaunchContext *launch : all) {
    if (launch->interruption.wasRequested())
      return Error{ErrorKind::Interrupted, fmt::format("`{}` was interrupted", launch->kernel)};
    if (!launch->fault.empty())
      return Error{ErrorKind::Fault, std::move(launch->fault), {}, nullptr, std::move(launch->faultPlace)};
  }
  return checkPads(all);
}

Result<void> FabricQueue::checkPads(const std::vector<ptx::LaunchContext *> &launches) {
  for (const ptx::Allocation *pad : memory.pads()) {
    for (uint64_t offset = 0; offset < pad->size; offset += sizeof(uint32_t)) {
      uint32_t word = 0;
      std::memcpy(&word, pad->data.get() + offset, sizeof word);
      if (word == 0)
        continue;
      const uint64_t address = pad->base + offset;
      std::string text = fmt::format("{} is left at {}: the next launch would take it for a signal",
                                     ptx::placeOnFabric(*pad, address), word);
      if (const ptx::FabricAccess *last = order.lastSignal(address))
        text += fmt::format("; rank {} wrote it at {}", last->device,
                            ptx::Faults(*launches[last->launch]).placeName(last->line));
      return Error{ErrorKind::Fault, std::move(text)};
    }
  }
  return {};
}

} // namespace tegula::runtime
