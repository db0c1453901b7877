#include "runtime/emulator/warp/DeviceAccess.h"

#include "runtime/emulator/warp/ArgumentNames.h"

#include <fmt/format.h>

namespace tegula::runtime::ptx {

std::string placeOnFabric(const Allocation &allocation, uint64_t address) {
  const uint64_t offset = address - allocation.base;
  return allocation.isPad ? fmt::format("{}, word {}", allocation.name, offset / 4)
                          : fmt::format("{}, byte {}", allocation.name, offset);
}

static FabricAccess accessNow(const Warp &warp, uint32_t lane, bool strong) {
  const LaunchContext &launch = warp.block->launch;
  FabricAccess access;
  access.device = launch.device;
  access.launch = launch.number;
  access.block = warp.block->number() - 1;
  access.warp = warp.index;
  access.lane = lane;
  access.line = warp.current->line;
  access.strong = strong;
  access.reachesAll = warp.current->has(FlagSystem);
  return launch.fabric->now(access, warp.block->clocks);
}

/// "k.py:3 (PTX line 7)" in whichever launch the access was made.
static std::string lineOf(const Warp &warp, const FabricAccess &access) {
  return Faults(*(*warp.block->launch.companions)[access.launch]).placeName(access.line);
}

/// Says what would have ordered the two accesses.
static std::string wordsOf(const Warp &warp, const FabricConflict &conflict) {
  const uint32_t here = warp.block->launch.device, there = conflict.other.device;
  switch (conflict.missing) {
  case Missing::Scope:
    if (!conflict.other.reachesAll)
      return fmt::format("the access at {} has a scope narrower than `sys`, and rank {} is another device",
                         lineOf(warp, conflict.other), here);
    return fmt::format("this access has a scope narrower than `sys`, and rank {} is another device", there);
  case Missing::Release:
    return fmt::format("rank {}'s signal at {} does not release", there, lineOf(warp, conflict.signal));
  case Missing::Acquire:
    return fmt::format("rank {}'s wait at {} does not acquire", here, lineOf(warp, conflict.wait));
  case Missing::BarrierBefore:
    return fmt::format("rank {} has no barrier before its signal at {}", there,
                       lineOf(warp, conflict.signal));
  case Missing::BarrierAfter:
    return fmt::format("rank {} has no barrier after its wait at {}", here, lineOf(warp, conflict.wait));
  case Missing::Signal:
    break;
  }
  return fmt::format("rank {} has not waited for a signal that rank {} gives after it", here, there);
}

static bool faultOnFabric(Warp &warp, uint32_t lane, const FabricConflict &conflict, const Target &target,
                          bool writes) {
  warp.block->faults.forgetUnwritten();
  const std::string there = fmt::format("rank {}'s {} at {}", conflict.other.device,
                                        conflict.wasWrite ? "write" : "read", lineOf(warp, conflict.other));
  return warp.refuse(lane, "race between ranks at {}: nothing orders this {} after {}: {}",
                     placeOnFabric(*target.allocation, conflict.address), writes ? "write" : "read", there,
                     wordsOf(warp, conflict));
}

bool isMapped(Warp &warp, uint32_t lane, const Target &target) {
  const LaunchContext &launch = warp.block->launch;
  const Allocation &memory = *target.allocation;
  if (!launch.fabric || memory.isSymmetric || memory.owner < 0 || uint32_t(memory.owner) == launch.device)
    return true;
  return warp.refuse(lane, "rank {} touches memory of rank {} that it has not mapped, at {}", launch.device,
                     memory.owner, addressName(warp, lane, memory.base + target.offset));
}

bool beforeAccessOnFabric(Warp &warp, uint32_t lane, const Target &target, uint32_t count, bool strong,
                          bool writes) {
  BlockState &block = *warp.block;
  FabricOrder *const order = block.launch.fabric;
  if (!order)
    return true;
  const uint64_t address = target.allocation->base + target.offset;
  if (!writes) { // a deadlock tells what is waited for
    warp.watch.address = address;
    warp.watch.bytes = count;
    warp.watch.expected.reset();
  }
  if (!target.allocation->isSymmetric)
    return true;
  const FabricAccess access = accessNow(warp, lane, strong);
  const FabricConflict conflict = writes ? order->write(access, block.clocks, address, count)
                                         : order->read(access, block.clocks, address, count);
  return !conflict.found || faultOnFabric(warp, lane, conflict, target, writes);
}

void waitOnFabric(Warp &warp, uint32_t lane, const Inst &inst, const Target &target) {
  BlockState &block = *warp.block;
  if (block.launch.fabric && target.space == Space::Global)
    block.launch.fabric->wait(accessNow(warp, lane, true), block.clocks,
                              target.allocation->base + target.offset, inst.has(FlagAcquire));
}

void signalOnFabric(Warp &warp, uint32_t lane, const Inst &inst, const Target &target, bool changes) {
  BlockState &block = *warp.block;
  if (block.launch.fabric && target.space == Space::Global)
    block.launch.fabric->signal(accessNow(warp, lane, true), block.clocks,
                                target.allocation->base + target.offset, inst.has(FlagRelease), changes);
}

} // namespace tegula::runtime::ptx
