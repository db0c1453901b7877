#include "runtime/emulator/warp/ClusterAccess.h"

#include <fmt/format.h>

#include <cstring>

namespace tegula::runtime::ptx {

static std::string placeIn(const BlockState &owner, uint64_t offset) {
  return fmt::format("{:#x} of block {} of the cluster", offset, owner.clusterOrder.rank());
}

static std::string describe(AccessKind kind, uint32_t count) {
  return fmt::format("shared {} of {} bytes", nameOf(kind), count);
}

uint64_t rankOf(const BlockState &block, uint64_t address) {
  const uint64_t place = address >> clusterAddressBits;
  return place ? place - 1 : block.rank();
}

bool stayInBlock(Warp &warp, uint32_t lane, uint64_t &address, const std::string &access) {
  const BlockState &block = *warp.block;
  const uint64_t rank = rankOf(block, address);
  if (!block.cluster || rank >= block.cluster->members.size())
    return true; // outside any memory
  address &= lowMask(clusterAddressBits);
  if (rank == block.rank())
    return true;
  return warp.refuse(lane,
                     "{} at {:#x} of block {} of the cluster: only loads, stores, arrivals at mbarriers and "
                     "`.multicast::cluster` reach another block",
                     access, address, rank);
}

BlockState *blockOfCluster(Warp &warp, uint32_t lane, uint64_t rank, const std::string &access) {
  const auto &members = warp.block->cluster->members;
  if (rank >= members.size()) {
    warp.fault(lane, "{}: the cluster has no block {}, but {}", access, rank, members.size());
    return nullptr;
  }
  const auto [owner, hasEnded] = members[rank];
  if (owner && !hasEnded)
    return owner;
  warp.fault(lane, "{} of block {} of the cluster: the block may {}", access, rank,
             owner ? "have ended, as no barrier keeps it" : "not have begun, as no barrier waits for it");
  return nullptr;
}

bool locateInOther(Warp &warp, uint32_t lane, uint64_t address, uint32_t count, AccessKind kind,
                   Target &target) {
  const uint64_t rank = rankOf(*warp.block, address);
  const uint64_t offset = address & lowMask(clusterAddressBits);
  const bool isThere = rank < warp.block->cluster->members.size();
  BlockState *const owner = blockOfCluster(
      warp, lane, rank, fmt::format("{} at {:#x}", describe(kind, count), isThere ? offset : address));
  if (!owner)
    return false;
  const auto refuse = [&](const std::string &why) {
    return warp.refuse(lane, "{} at {:#x} of block {} of the cluster: {}", describe(kind, count), offset,
                       rank, why);
  };
  if (count > owner->shared.size() || offset > owner->shared.size() - count)
    return refuse(fmt::format("outside its {} bytes of shared memory", owner->shared.size()));
  if (offset & (count - 1))
    return refuse("misaligned");
  target.space = Space::Shared;
  target.offset = offset;
  target.bytes = owner->shared.data() + offset;
  target.owner = owner;
  return true;
}

bool faultInCluster(Warp &warp, uint32_t lane, const ClusterConflict &conflict, const BlockState &owner,
                    bool write) {
  BlockState &block = *warp.block;
  block.faults.forgetUnwritten();
  const bool isOwn = &block == &owner;
  std::string by = owner.clocks.isAgent(conflict.warp)
                       ? "a bulk copy or a `wgmma`"
                       : block.faults.threadName(conflict.warp, conflict.lane);
  if (conflict.block != &block.clusterOrder)
    by += fmt::format(" of block {} of the cluster", conflict.block->rank());
  return warp.refuse(
      lane, "race on the shared byte at {}: this {} and the {} by {} at {} have no barrier{} between them",
      isOwn ? fmt::format("{:#x}", conflict.address) : placeIn(owner, conflict.address),
      write ? "write" : "read", conflict.wasWrite ? "write" : "read", by,
      block.faults.placeName(conflict.line), conflict.block == &block.clusterOrder ? "" : " of the cluster");
}

/// Checks what both kinds of accesses must not touch.
static bool mayTouch(Warp &warp, uint32_t lane, const Target &target, uint32_t count, bool strong) {
  const BlockState &owner = *target.owner;
  const auto refuse = [&](const std::string &why) {
    return warp.refuse(lane, "shared access of {} bytes at {}: {}", count, placeIn(owner, target.offset),
                       why);
  };
  if (strong)
    return refuse("expected a weak one: the order that others make between blocks is not emulated");
  if (const Conflict copy = owner.shared.pending(target.offset, count); copy.found)
    return refuse(
        fmt::format("the copy to it at {} has not been waited for", owner.faults.placeName(copy.line)));
  if (const uint32_t line = owner.mbarrierWords.lineAt(uint32_t(target.offset), count))
    return refuse(
        fmt::format("they hold the mbarrier that was initialised at {}", owner.faults.placeName(line)));
  return true;
}

bool beforeReadOfOther(Warp &warp, uint32_t lane, const Target &target, uint32_t count, bool strong) {
  BlockState &owner = *target.owner;
  const CheckOptions &checks = owner.launch.checks;
  if (!mayTouch(warp, lane, target, count, strong))
    return false;
  if (checks.races) {
    const ClusterConflict conflict = owner.clusterOrder.readFrom(
        warp.block->clusterOrder, accessOf(warp, lane, false), target.offset, count);
    if (conflict.found)
      return faultInCluster(warp, lane, conflict, owner, false);
  }
  if (checks.uninitialised && !owner.shared.isInitialised(target.offset, count)) {
    warp.block->faults.reportUnwritten(
        *warp.current, warp.index, lane,
        fmt::format("shared load of {} bytes at {}: uninitialised shared memory", count,
                    placeIn(owner, target.offset)));
    owner.shared.setDefined(target.offset, count, false);
  }
  return true;
}

/// Faults where a write conflicts with an access, or a unit of the owner may still read there.
static bool mayOverwrite(Warp &warp, uint32_t lane, const Target &target, uint32_t count,
                         const ClusterConflict &conflict) {
  BlockState &owner = *target.owner;
  if (conflict.found && owner.launch.checks.races)
    return faultInCluster(warp, lane, conflict, owner, true);
  if (const auto reader = owner.unitReads.find(target.offset, count))
    return warp.refuse(lane, "shared write of {} bytes at {}: the {} at {} may still read them", count,
                       placeIn(owner, target.offset), reader->unit, owner.faults.placeName(reader->line));
  return true;
}

bool beforeWriteOfOther(Warp &warp, uint32_t lane, const Target &target, uint32_t count, bool strong,
                        const uint8_t *values) {
  BlockState &owner = *target.owner;
  if (!mayTouch(warp, lane, target, count, strong))
    return false;
  const bool changes = std::memcmp(target.bytes, values, count) != 0;
  const ClusterConflict conflict = owner.clusterOrder.writeFrom(
      warp.block->clusterOrder, accessOf(warp, lane, false), target.offset, count, changes);
  return mayOverwrite(warp, lane, target, count, conflict);
}

bool isPublishedInOther(Warp &warp, uint32_t lane, const Target &target, uint32_t count, const char *unit,
                        const char *verb) {
  BlockState &owner = *target.owner;
  if (!owner.launch.checks.races)
    return true;
  const ClusterConflict conflict =
      owner.clusterOrder.unpublished(warp.block->clusterOrder, warp.index, target.offset, count);
  if (!conflict.found)
    return true;
  return warp.refuse(lane,
                     "`{}` {} the shared byte at {}, which {} of block {} of the cluster wrote at {}: no "
                     "`fence.proxy.async` stands between",
                     unit, verb, placeIn(owner, conflict.address),
                     owner.faults.threadName(conflict.warp, conflict.lane), conflict.block->rank(),
                     owner.faults.placeName(conflict.line));
}

bool beforeFillOfOther(Warp &warp, uint32_t lane, const Target &target, uint32_t count, uint32_t agent) {
  BlockState &owner = *target.owner;
  if (!mayTouch(warp, lane, target, count, false))
    return false;
  Access access = accessOf(warp, lane, false);
  access.agent = agent;
  const ClusterConflict conflict =
      owner.clusterOrder.fillFrom(warp.block->clusterOrder, access, target.offset, count);
  return mayOverwrite(warp, lane, target, count, conflict);
}

} // namespace tegula::runtime::ptx
