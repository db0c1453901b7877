#include "runtime/emulator/warp/DeviceAccess.h"

#include "runtime/emulator/warp/ArgumentNames.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::runtime::ptx {

/// The length of what launches still do after a race, in accesses of the fabric and in instructions of each
/// launch.
static constexpr uint64_t accessesBehindRace = 1 << 20, instructionsBehindRace = 1 << 20;

std::string placeOnFabric(const Allocation &allocation, uint64_t address) {
  const uint64_t offset = address - allocation.base;
  return allocation.isPad ? fmt::format("{}, word {}", allocation.name, offset / 4)
                          : fmt::format("{}, byte {}", allocation.name, offset);
}

std::string lineOf(const FabricState &fabric, const FabricAccess &access) {
  return Faults(*fabric.launches[access.launch]).placeName(access.line);
}

static FabricAccess accessNow(const Warp &warp, uint32_t lane, bool strong) {
  const LaunchContext &launch = warp.block->launch;
  FabricAccess access;
  access.device = launch.device;
  access.launch = launch.number;
  access.block = uint32_t(warp.block->number()) - 1;
  access.warp = warp.index;
  access.lane = lane;
  access.line = warp.current->line;
  access.strong = strong;
  access.reachesAll = warp.current->has(FlagSystem);
  return launch.fabric->order.now(access, warp.block->clocks);
}

/// Says what would have ordered the two accesses.
static std::string wordsOf(const FabricState &fabric) {
  const FabricConflict &conflict = fabric.race.conflict;
  const FabricReason &reason = fabric.race.reason;
  const FabricAccess &earlier = conflict.earlier, &later = conflict.later;
  const auto signal = [&] { return lineOf(fabric, reason.signal); };
  const auto wait = [&] { return lineOf(fabric, reason.wait); };
  switch (reason.missing) {
  case Missing::Scope:
    if (!earlier.reachesAll)
      return fmt::format("the access at {} has a scope narrower than `sys`, and rank {} is another device",
                         lineOf(fabric, earlier), later.device);
    return fmt::format("this access has a scope narrower than `sys`, and rank {} is another device",
                       earlier.device);
  case Missing::Release:
    return fmt::format("rank {}'s signal at {} does not release", reason.signal.device, signal());
  case Missing::Acquire:
    return fmt::format("rank {}'s wait at {} does not acquire", reason.wait.device, wait());
  case Missing::BarrierBefore:
    return fmt::format("rank {} has no barrier before its signal at {}", reason.signal.device, signal());
  case Missing::BarrierAfter:
    return fmt::format("rank {} has no barrier after its wait at {}", reason.wait.device, wait());
  case Missing::ClosingWait: {
    const FabricAccess &read = conflict.wasWrite ? later : earlier,
                       &write = conflict.wasWrite ? earlier : later;
    return fmt::format(
        "rank {} has not waited for a signal that rank {} gives after it has read: a barrier of the ranks is "
        "missing in the end",
        write.device, read.device);
  }
  case Missing::Signal:
    break;
  }
  return fmt::format("rank {} has not waited for a signal that rank {} gives after it", later.device,
                     earlier.device);
}

std::string raceText(const FabricState &fabric) { return fabric.race.text + wordsOf(fabric); }

/// "rank 1's read at k.py:3 (PTX line 7)".
static std::string earlierName(const FabricState &fabric, const FabricConflict &conflict) {
  const FabricAccess &earlier = conflict.earlier;
  if (earlier.isHost)
    return fmt::format("what rank {}'s host has written there", earlier.device);
  return fmt::format("rank {}'s {} at {}", earlier.device, conflict.wasWrite ? "write" : "read",
                     lineOf(fabric, earlier));
}

/// Looks for the reason by the signals so far. Returns true if later ones cannot tell more.
static bool isExplained(FabricState &fabric) {
  FabricState::Race &race = fabric.race;
  race.reason = fabric.order.reasonOf(race.conflict);
  race.signalsSeen = fabric.order.signalsSeen();
  return race.reason.missing != Missing::Signal && race.reason.missing != Missing::ClosingWait;
}

void noteRaceOfHost(FabricState &fabric, const FabricConflict &conflict, const Allocation &allocation) {
  if (!conflict.found || fabric.race.conflict.found)
    return;
  fabric.race.conflict = conflict;
  fabric.race.text = fmt::format(
      "race between ranks at {}: nothing orders what rank {}'s host writes there after {}: ",
      placeOnFabric(allocation, conflict.address), conflict.later.device, earlierName(fabric, conflict));
  (void)isExplained(fabric);
}

/// Ends the launches: the fabric says why.
static bool stop(Warp &warp) {
  warp.fault(wholeWarp, "a race between ranks");
  return false;
}

/// Remembers the race, if it is the first one. False where it ends the launches.
static bool noteRace(Warp &warp, uint32_t lane, const FabricConflict &conflict, const Target &target) {
  LaunchContext &launch = warp.block->launch;
  FabricState &fabric = *launch.fabric;
  if (fabric.race.conflict.found)
    return true;
  warp.block->faults.forgetUnwritten();
  fabric.race.conflict = conflict;
  fabric.race.text = warp.block->faults.faultText(
      warp.current, warp.index, lane,
      fmt::format("race between ranks at {}: nothing orders this {} after {}: ",
                  placeOnFabric(*target.allocation, conflict.address), conflict.isWrite ? "write" : "read",
                  earlierName(fabric, conflict)));
  fabric.race.place = warp.block->faults.sourcePlaceOf(*warp.current);
  if (isExplained(fabric))
    return stop(warp);
  for (LaunchContext *const one : fabric.launches)
    one->instructionsLeft = std::min(one->instructionsLeft, instructionsBehindRace);
  return true;
}

bool isMapped(Warp &warp, uint32_t lane, const Target &target) {
  const LaunchContext &launch = warp.block->launch;
  const Allocation &memory = *target.allocation;
  if (!launch.fabric || memory.isSymmetric || memory.owner < 0 || uint32_t(memory.owner) == launch.device)
    return true;
  return warp.refuse(lane, "rank {} touches memory of rank {} that it has not mapped, at {}", launch.device,
                     memory.owner, addressName(warp, lane, memory.base + target.offset));
}

bool isOfOtherDevice(const Warp &warp, const Target &target) {
  const LaunchContext &launch = warp.block->launch;
  return launch.fabric && target.allocation->isSymmetric &&
         target.allocation->owner != int32_t(launch.device);
}

void noteUnwrittenOnFabric(Warp &warp, uint32_t lane, const std::string &text) {
  const LaunchContext &launch = warp.block->launch;
  FabricState::Unwritten &first = launch.fabric->unwritten;
  if (first.text.empty())
    first = {warp.block->faults.faultText(warp.current, warp.index, lane, text),
             warp.block->faults.sourcePlaceOf(*warp.current), launch.device};
}

bool beforeAccessOnFabric(Warp &warp, uint32_t lane, const Target &target, uint32_t count, bool strong,
                          bool writes) {
  BlockState &block = *warp.block;
  FabricState *const fabric = block.launch.fabric;
  if (!fabric)
    return true;
  const uint64_t address = target.allocation->base + target.offset;
  if (!target.allocation->isSymmetric)
    return true;
  if (!writes) { // a deadlock tells what is waited for
    warp.watch.polled = warp.current;
    warp.watch.polledSerial = warp.serial;
    warp.watch.address = address;
    warp.watch.bytes = count;
    warp.watch.expected.reset();
  }
  const FabricAccess access = accessNow(warp, lane, strong);
  const FabricConflict conflict = writes ? fabric->order.write(access, block.clocks, address, count)
                                         : fabric->order.read(access, block.clocks, address, count);
  if (conflict.found && !noteRace(warp, lane, conflict, target))
    return false;
  const FabricConflict &race = fabric->race.conflict;
  return !race.found || access.time < race.later.time + accessesBehindRace || stop(warp);
}

bool isPublishedOnFabric(Warp &warp, uint32_t lane, const Target &target, uint32_t count, const char *unit) {
  BlockState &block = *warp.block;
  FabricState *const fabric = block.launch.fabric;
  if (!fabric || !target.allocation->isSymmetric || fabric->race.conflict.found)
    return true;
  const uint64_t address = target.allocation->base + target.offset;
  const FabricAccess *const write =
      fabric->order.unpublished(block.launch.device, warp.index, block.clocks, address, count);
  if (!write)
    return true;
  return warp.refuse(
      lane, "`{}` reads {}, which rank {} wrote{}: no `fence.proxy.async` stands behind the wait for it",
      unit, placeOnFabric(*target.allocation, address), write->device,
      write->isHost ? "" : " at " + lineOf(*fabric, *write));
}

void waitOnFabric(Warp &warp, uint32_t lane, const Inst &inst, const Target &target) {
  BlockState &block = *warp.block;
  FabricState *const fabric = block.launch.fabric;
  if (!fabric || target.space != Space::Global)
    return;
  fabric->order.wait(accessNow(warp, lane, true), block.clocks, target.allocation->base + target.offset,
                     inst.has(FlagAcquire));
  const FabricState::Race &race = fabric->race;
  if (race.conflict.found && race.signalsSeen != fabric->order.signalsSeen() && isExplained(*fabric))
    stop(warp);
}

void signalOnFabric(Warp &warp, uint32_t lane, const Inst &inst, const Target &target, bool changes) {
  BlockState &block = *warp.block;
  if (block.launch.fabric && target.space == Space::Global)
    block.launch.fabric->order.signal(accessNow(warp, lane, true), block.clocks,
                                      target.allocation->base + target.offset, inst.has(FlagRelease),
                                      changes);
}

} // namespace tegula::runtime::ptx
