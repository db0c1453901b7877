#include "runtime/emulator/FabricRun.h"

#include "runtime/emulator/machine/Block.h"
#include "runtime/emulator/warp/DeviceAccess.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace tegula::runtime {

using State = FabricHosts::State;
using ptx::Schedule;

FabricRun::FabricRun(FabricMemory &memory, uint32_t world, uint64_t residentBlocks, uint64_t seed,
                     bool reports)
    : memory(memory), world(world), residentBlocks(residentBlocks), seed(seed), reports(reports),
      random(seed), devices(world, spins) {
  begin();
}

void FabricRun::begin() {
  state.order.begin(world);
  state.launches.clear();
  std::move(launches.begin(), launches.end(), std::back_inserter(over));
  launches.clear();
}

void FabricRun::add(const FabricLaunches &added) {
  for (uint32_t rank = 0; rank < added.size(); ++rank)
    for (const FabricLaunch &queued : added[rank]) {
      launches.push_back(std::make_unique<Launched>(queued, spins));
      ptx::LaunchContext &launch = launches.back()->launch;
      launch.printed = &launches.back()->printed;
      // Devices must not take the same turns.
      launches.back()->queued.prepare(launch, seed ? ptx::mixHash(seed, rank + 1) | 1 : 0);
      launch.fabric = &state;
      launch.device = rank;
      launch.number = uint32_t(state.launches.size());
      launch.blocksBefore = blocks;
      launch.mostResident = residentBlocks;
      launch.firstColumn = state.order.addColumns(uint32_t(launch.blockCount()) * ptx::clockColumns(launch));
      blocks += uint32_t(launch.blockCount());
      state.launches.push_back(&launch);
      devices.add(launch);
      spins.progressed();
    }
}

std::vector<uint32_t> FabricRun::ready(const Hosts *hosts) const {
  std::vector<uint32_t> found;
  for (uint32_t rank = 0; rank < world; ++rank)
    if (!devices.isIdle(rank) || (hosts && hosts->programs.stateOf(rank) == State::Ready))
      found.push_back(rank);
  return found;
}

Result<void> FabricRun::run() { return runAndExplain(nullptr); }

Result<void> FabricRun::run(FabricHosts &hosts, Lock &lock, const std::function<FabricLaunches()> &take) {
  const Hosts given{hosts, lock, take};
  return runAndExplain(&given);
}

Result<void> FabricRun::runAndExplain(const Hosts *hosts) {
  Result<void> done = runAll(hosts);
  // A race comes before all that has come of it.
  if (Result<void> atFault = faultOfRanks();
      !atFault && (done || done.error().kind != ErrorKind::Interrupted))
    return atFault;
  return done;
}

Result<void> FabricRun::runAll(const Hosts *hosts) {
  for (;; ++turn) {
    const std::vector<uint32_t> ranks = ready(hosts);
    if (ranks.empty()) {
      const auto meets = [&](uint32_t rank) { return hosts->programs.stateOf(rank) == State::Meets; };
      uint32_t rank = 0;
      while (hosts && rank < world && !meets(rank))
        ++rank;
      if (!hosts || rank == world)
        return {};
      rankAtFault = rank;
      TRY(endMeeting(hosts->programs));
      continue;
    }
    const uint32_t rank = ranks[(seed ? random.next() : turn) % ranks.size()];
    TRY(devices.isIdle(rank) ? resumeHost(*hosts, rank) : stepDevice(hosts, rank));
  }
}

Result<void> FabricRun::resumeHost(const Hosts &hosts, uint32_t rank) {
  memory.beforeHost();
  hosts.lock.unlock();
  over.clear();
  hosts.programs.resume(rank);
  hosts.lock.lock();
  memory.afterHost([&](const ptx::Allocation &allocation, uint64_t address, uint32_t bytes) {
    noteRaceOfHost(state, state.order.hostWrote(rank, address, bytes), allocation);
  });
  rankAtFault = rank;
  if (const std::optional<Error> &error = hosts.programs.errorOf(rank))
    return *error;
  add(hosts.take());
  return {};
}

Result<void> FabricRun::endMeeting(FabricHosts &hosts) {
  for (uint32_t rank = 0; rank < world; ++rank)
    if (hosts.stateOf(rank) == State::Ended)
      return Error{
          ErrorKind::Fault,
          fmt::format("rank {}'s host waits for all ranks, but rank {}'s has ended", rankAtFault, rank)};
  TRY(faultOfRanks());
  if (hosts.meetingOrders())
    begin();
  hosts.endMeeting();
  return {};
}

Result<void> FabricRun::stepDevice(const Hosts *hosts, uint32_t rank) {
  ptx::LaunchContext &launch = devices.front(rank);
  const Schedule::Step step = devices.step(rank);
  if (step == Schedule::Step::Done && reports)
    launches[launch.number]->queued.count(launch);
  if (step == Schedule::Step::Failed)
    return faultOfLaunch();
  if (step != Schedule::Step::Waits)
    return {};
  const bool hostMayHelp =
      std::ranges::any_of(ready(hosts), [&](uint32_t other) { return devices.isIdle(other); });
  if (hostMayHelp || !devices.reportIfStuck())
    return {};
  Result<void> fault = faultOfLaunch();
  for (uint32_t other = 0; hosts && !fault && other < world; ++other)
    if (devices.isIdle(other))
      fault.error().text +=
          fmt::format("; rank {} runs no kernel: its host {}", other,
                      hosts->programs.stateOf(other) == State::Ended ? "has ended" : "waits for all ranks");
  return fault;
}

Result<void> FabricRun::faultOfLaunch() {
  for (const std::unique_ptr<Launched> &one : launches) {
    const ptx::LaunchContext &launch = one->launch;
    rankAtFault = launch.device;
    if (launch.interruption.wasRequested())
      return Error{ErrorKind::Interrupted, fmt::format("`{}` was interrupted", launch.kernel)};
    if (!launch.fault.empty())
      return Error{ErrorKind::Fault, launch.fault, {}, nullptr, launch.faultPlace};
  }
  return {};
}

Result<void> FabricRun::faultOfRanks() {
  if (state.race.conflict.found) {
    rankAtFault = state.race.conflict.later.device;
    return Error{ErrorKind::Fault, raceText(state), {}, nullptr, state.race.place};
  }
  if (!state.unwritten.text.empty()) {
    rankAtFault = state.unwritten.device;
    return Error{ErrorKind::Fault, state.unwritten.text, {}, nullptr, state.unwritten.place};
  }
  return {};
}

Result<void> FabricRun::checkPads() {
  for (const ptx::Allocation *pad : memory.memory.pads()) {
    for (uint64_t offset = 0; offset < pad->size; offset += sizeof(uint32_t)) {
      uint32_t word = 0;
      std::memcpy(&word, pad->data.get() + offset, sizeof word);
      if (word == 0)
        continue;
      const uint64_t address = pad->base + offset;
      std::string text = fmt::format("{} is left at {}: the next launch would take it for a signal",
                                     ptx::placeOnFabric(*pad, address), word);
      if (const ptx::FabricAccess *last = state.order.lastSignal(address))
        text += fmt::format("; rank {} wrote it at {}", last->device, lineOf(state, *last));
      return Error{ErrorKind::Fault, std::move(text)};
    }
  }
  return {};
}

} // namespace tegula::runtime
