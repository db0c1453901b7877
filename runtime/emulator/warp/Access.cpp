#include "runtime/emulator/warp/Access.h"

#include "runtime/emulator/warp/ArgumentNames.h"
#include "runtime/emulator/warp/ClusterAccess.h"
#include "runtime/emulator/warp/DeviceAccess.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tegula::runtime::ptx {

Target sharedTarget(Warp &warp, uint64_t address) {
  Target target;
  target.space = Space::Shared;
  target.offset = address;
  target.bytes = warp.block->shared.data() + address;
  return target;
}

static bool faultGlobal(Warp &warp, uint32_t lane, uint64_t address, uint32_t count, AccessKind kind) {
  const Allocation *near = warp.block->launch.memory->nearest(address);
  const uint64_t end = near ? near->base + near->size : 0;
  const bool isPartly = near && !near->freed && address < end;
  const std::string what = fmt::format("global {} of {} bytes at {}", nameOf(kind), count,
                                       addressName(warp, lane, address, isPartly ? end : address));
  if (address < 4096)
    return warp.refuse(lane, "{}: a null address", what);
  if (near && near->freed && address - near->base < std::max<uint64_t>(near->size, 1))
    return warp.refuse(lane, "{}: the memory at {:#x} ({} bytes) was freed", what, near->base, near->size);
  std::string where;
  if (near && near->isPad && address - near->base < 2 * near->size)
    return warp.refuse(lane, "{}: past the end of {}, which has {} words", what, near->name, near->size / 4);
  if (near && address < end)
    where = fmt::format(", {} of its bytes are past the end of the {} bytes at {:#x}", address + count - end,
                        near->size, near->base);
  else if (near && address - end < (uint64_t(1) << 32))
    where = fmt::format(", {} bytes past the end of the {} bytes at {:#x}", address - end, near->size,
                        near->base);
  return warp.refuse(lane, "{}: outside any allocation{}", what, where);
}

static bool faultMisaligned(Warp &warp, uint32_t lane, const char *space, const std::string &address,
                            uint32_t count, AccessKind kind) {
  return warp.refuse(lane, "misaligned {} {} of {} bytes at {}", space, nameOf(kind), count, address);
}

static bool locateGlobal(Warp &warp, uint32_t lane, uint64_t address, uint32_t count, AccessKind kind,
                         Target &target) {
  Allocation *allocation = warp.lastAllocation;
  if (!allocation || !allocation->contains(address, count)) {
    allocation = warp.block->launch.memory->find(address);
    if (!allocation || allocation->freed || !allocation->contains(address, count))
      return faultGlobal(warp, lane, address, count, kind);
    warp.lastAllocation = allocation;
  }
  if (address & (count - 1))
    return faultMisaligned(warp, lane, "global", addressName(warp, lane, address), count, kind);
  if (allocation->readOnly && kind != AccessKind::Load)
    return warp.refuse(lane, "{} of {} bytes at {}: {}", nameOf(kind), count,
                       addressName(warp, lane, address),
                       allocation->adopted ? "the host's memory is read-only there"
                                           : fmt::format("`{}` is constant", allocation->name));
  target.space = Space::Global;
  target.allocation = allocation;
  target.offset = address - allocation->base;
  target.bytes = allocation->data.get() + target.offset;
  return isMapped(warp, lane, target);
}

static bool locateLocal(Warp &warp, uint32_t lane, uint64_t address, uint32_t count, AccessKind kind,
                        Target &target) {
  const uint64_t size = warp.localSize();
  if (count > size || address > size - count)
    return warp.refuse(lane, "local {} of {} bytes at {:#x}: outside the thread's {} bytes", nameOf(kind),
                       count, address, size);
  if (address & (count - 1))
    return faultMisaligned(warp, lane, "local", fmt::format("{:#x}", address), count, kind);
  target.space = Space::Local;
  target.bytes = warp.local(lane, address);
  target.shadow = warp.localDefined(lane, address);
  return true;
}

static bool locateParam(Warp &warp, uint32_t lane, uint64_t address, uint32_t count, AccessKind kind,
                        Target &target) {
  const Function &function = *warp.function;
  const bool uniform = address < function.uniformParamBytes;
  const uint64_t end = uniform ? function.uniformParamBytes : function.paramBytes;
  if (count > end || address > end - count || (uniform && kind != AccessKind::Load))
    return warp.refuse(lane, "parameter {} of {} bytes at offset {}: outside the parameters", nameOf(kind),
                       count, address);
  if (address & (count - 1))
    return faultMisaligned(warp, lane, "parameter", fmt::format("{:#x}", address), count, kind);
  target.space = Space::Param;
  if (uniform) {
    target.bytes =
        const_cast<uint8_t *>(reinterpret_cast<const uint8_t *>(warp.block->launch.params.data())) + address;
    return true;
  }
  target.bytes = warp.param(lane, uint32_t(address));
  target.shadow = warp.paramDefined(lane, uint32_t(address));
  return true;
}

static bool locateShared(Warp &warp, uint32_t lane, uint64_t address, uint32_t count, AccessKind kind,
                         Target &target) {
  SharedMemory &shared = warp.block->shared;
  if (address >> clusterAddressBits &&
      !stayInBlock(warp, lane, address, fmt::format("shared {} of {} bytes", nameOf(kind), count)))
    return false;
  if (count > shared.size() || address > shared.size() - count)
    return warp.refuse(lane, "shared {} of {} bytes at {:#x}: outside the block's {} bytes of shared memory",
                       nameOf(kind), count, address, shared.size());
  if (address & (count - 1))
    return faultMisaligned(warp, lane, "shared", fmt::format("{:#x}", address), count, kind);
  target = sharedTarget(warp, address);
  return true;
}

bool locate(Warp &warp, uint32_t lane, Space space, uint64_t address, uint32_t count, AccessKind kind,
            Target &target) {
  if (space == Space::Generic) {
    const uint64_t window = address & ~(windowBytes - 1);
    space = window == sharedWindow  ? Space::Shared
            : window == localWindow ? Space::Local
            : window == paramWindow ? Space::Param
                                    : Space::Global;
    if (space != Space::Global)
      address -= window;
  }
  switch (space) {
  case Space::Shared:
    return locateShared(warp, lane, address, count, kind, target);
  case Space::Cluster:
    return warp.block->cluster && rankOf(*warp.block, address) != warp.block->rank()
               ? locateInOther(warp, lane, address, count, kind, target)
               : locateShared(warp, lane, address, count, kind, target);
  case Space::Local:
    return locateLocal(warp, lane, address, count, kind, target);
  case Space::Param:
    return locateParam(warp, lane, address, count, kind, target);
  default:
    return locateGlobal(warp, lane, address, count, kind, target);
  }
}

bool faultConflict(Warp &warp, uint32_t lane, const Conflict &conflict, bool write, const char *space) {
  BlockState &block = *warp.block;
  const std::string place = block.faults.placeName(conflict.line);
  block.faults.forgetUnwritten();
  const std::string address = std::string_view(space) == "global" ? addressName(warp, lane, conflict.address)
                                                                  : fmt::format("{:#x}", conflict.address);
  const std::string here =
      fmt::format("race on the {} byte at {}: this {} and the", space, address, write ? "write" : "read");
  const char *const there = conflict.wasWrite ? "write" : "read";
  if (conflict.otherBlock) {
    const char *const other = block.launch.programsPerBlock > 1 ? "program" : "block";
    return warp.refuse(lane, "{} {} by another {} at {}{}, and nothing orders the {}s", here, there, other,
                       place, write && conflict.wasWrite ? " differ" : "", other);
  }
  if (block.clocks.isAgent(conflict.warp) && !conflict.wasWrite)
    return warp.refuse(lane, "{} read by the `wgmma` at {} have no barrier between them", here, place);
  if (block.clocks.isAgent(conflict.warp))
    return warp.refuse(lane, "{} bulk copy at {}: the copy's mbarrier has not been waited for", here, place);
  return warp.refuse(lane, "{} {} by {} at {} have no barrier between them", here, there,
                     block.faults.threadName(conflict.warp, conflict.lane), place);
}

static bool checkPending(Warp &warp, uint32_t lane, const Target &target, uint32_t count) {
  const BlockState &block = *warp.block;
  const Conflict copy = block.shared.pending(target.offset, count);
  if (!copy.found)
    return true;
  return warp.refuse(lane,
                     "shared access of {} bytes at {:#x}: {} to it has not been waited for, the one at {}",
                     count, target.offset, block.clocks.isAgent(copy.warp) ? "a bulk copy" : "a `cp.async`",
                     block.faults.placeName(copy.line));
}

/// An mbarrier is touched by instructions of its own only.
static bool checkMbarrier(Warp &warp, uint32_t lane, const Target &target, uint32_t count) {
  const uint32_t line = warp.block->mbarrierWords.lineAt(uint32_t(target.offset), count);
  if (!line)
    return true;
  return warp.refuse(lane,
                     "shared access of {} bytes at {:#x}: they hold the mbarrier that was initialised at {}",
                     count, target.offset, warp.block->faults.placeName(line));
}

bool beforeRead(Warp &warp, uint32_t lane, const Target &target, uint32_t count, bool strong,
                std::optional<uint32_t> actor) {
  warp.watch.read = warp.current;
  warp.watch.readSerial = warp.serial;
  const CheckOptions &checks = warp.block->launch.checks;
  if (target.space == Space::Global) {
    const uint64_t address = target.allocation->base + target.offset;
    if (!beforeAccessOnFabric(warp, lane, target, count, strong, /*writes=*/false))
      return false;
    if (checks.uninitialised && !target.allocation->isInitialised(target.offset, count) &&
        !warp.block->faults.hasUnwritten()) {
      const std::string text = fmt::format("global load of {} bytes at {}: uninitialised global memory",
                                           count, addressName(warp, lane, address));
      if (isOfOtherDevice(warp, target))
        noteUnwrittenOnFabric(warp, lane, text);
      else
        warp.block->faults.reportUnwritten(*warp.current, warp.index, lane, text);
    }
    if (!checks.globalRaces || target.allocation->readOnly)
      return true;
    const Conflict conflict = warp.block->readGlobal(accessOf(warp, lane, strong), address, count);
    return !conflict.found || faultConflict(warp, lane, conflict, false, "global");
  }
  if (target.space != Space::Shared)
    return true;
  if (target.owner)
    return beforeReadOfOther(warp, lane, target, count, strong);
  SharedMemory &shared = warp.block->shared;
  if (!checkPending(warp, lane, target, count) || !checkMbarrier(warp, lane, target, count))
    return false;
  if (checks.races) {
    const Conflict conflict = shared.read(accessOf(warp, actor.value_or(lane), strong), target.offset, count);
    if (conflict.found)
      return faultConflict(warp, lane, conflict, false, "shared");
    if (warp.block->cluster)
      if (const ClusterConflict other =
              warp.block->clusterOrder.read(accessOf(warp, lane, strong), target.offset, count);
          other.found)
        return faultInCluster(warp, lane, other, *warp.block, false);
  }
  if (checks.uninitialised && !shared.isInitialised(target.offset, count)) {
    warp.block->faults.reportUnwritten(
        *warp.current, warp.index, lane,
        fmt::format("shared load of {} bytes at {:#x}: uninitialised shared memory", count, target.offset));
    shared.setDefined(target.offset, count, false);
  }
  return true;
}

bool isPublished(Warp &warp, uint32_t lane, const Target &target, uint32_t count, const char *unit,
                 const char *verb) {
  if (target.owner)
    return isPublishedInOther(warp, lane, target, count, unit, verb);
  if (!warp.block->launch.checks.races)
    return true;
  const BlockState &block = *warp.block;
  Conflict conflict = block.shared.unpublished(warp.index, target.offset, count);
  std::string by;
  if (!conflict.found && block.cluster)
    if (const ClusterConflict other =
            block.clusterOrder.unpublished(block.clusterOrder, warp.index, target.offset, count);
        other.found) {
      conflict = other;
      by = fmt::format(" of block {} of the cluster", other.block->rank());
    }
  if (!conflict.found)
    return true;
  return warp.refuse(lane,
                     "`{}` {} the shared byte at {:#x}, which {}{} wrote at {}: no `fence.proxy.async` "
                     "stands between",
                     unit, verb, conflict.address, block.faults.threadName(conflict.warp, conflict.lane), by,
                     block.faults.placeName(conflict.line));
}

static bool beforeSharedWrite(Warp &warp, uint32_t lane, const Target &target, uint32_t count,
                              const Access &access, const uint8_t *values) {
  BlockState &block = *warp.block;
  if (!checkPending(warp, lane, target, count) || !checkMbarrier(warp, lane, target, count))
    return false;
  const Conflict conflict = block.shared.write(access, target.offset, count, values);
  if (conflict.found && block.launch.checks.races)
    return faultConflict(warp, lane, conflict, true, "shared");
  if (block.cluster)
    if (const ClusterConflict other = block.clusterOrder.write(access, target.offset, count);
        other.found && block.launch.checks.races)
      return faultInCluster(warp, lane, other, block, true);
  if (const auto reader = block.unitReads.find(target.offset, count)) {
    block.faults.forgetUnwritten();
    return warp.refuse(lane, "shared write of {} bytes at {:#x}: the {} at {} may still read them", count,
                       target.offset, reader->unit, block.faults.placeName(reader->line));
  }
  return true;
}

bool beforeWrite(Warp &warp, uint32_t lane, const Target &target, uint32_t count, bool strong,
                 const uint8_t *values, std::optional<uint32_t> actor) {
  if (SpinDetector::watchesWrites(warp.watch) && std::memcmp(target.bytes, values, count) != 0)
    warp.block->launch.spins.writes(warp.block->number(), reinterpret_cast<uintptr_t>(target.bytes), values,
                                    count);
  if (target.space == Space::Global) {
    if (!beforeAccessOnFabric(warp, lane, target, count, strong, /*writes=*/true))
      return false;
    target.allocation->markInitialised(target.offset, count);
    if (!warp.block->launch.checks.globalRaces)
      return true;
    const Conflict conflict = warp.block->writeGlobal(
        accessOf(warp, lane, strong), target.allocation->base + target.offset, count, target.bytes, values);
    return !conflict.found || faultConflict(warp, lane, conflict, true, "global");
  }
  if (target.owner)
    return beforeWriteOfOther(warp, lane, target, count, strong, values);
  return target.space != Space::Shared ||
         beforeSharedWrite(warp, lane, target, count, accessOf(warp, actor.value_or(lane), strong), values);
}

bool beforeFill(Warp &warp, uint32_t lane, const Target &target, uint32_t count, const uint8_t *values,
                uint32_t agent) {
  if (target.owner)
    return beforeFillOfOther(warp, lane, target, count, agent);
  Access access = accessOf(warp, lane, false);
  access.agent = agent;
  return beforeSharedWrite(warp, lane, target, count, access, values);
}

bool beforeUnitRead(Warp &warp, uint32_t lane, const Target &target, uint32_t count, const char *unit) {
  // The length of the unit's read shows when it is waited for, so it leaves no mark yet: as a strong one it
  // races with writes of others.
  return beforeRead(warp, lane, target, count, true) && isPublished(warp, lane, target, count, unit, "reads");
}

void synchronizeAt(Warp &warp, const Inst &inst, const Target &target, bool reads, bool writes) {
  const bool isGlobal = target.space == Space::Global;
  const uint64_t address = target.offset + (isGlobal ? target.allocation->base : 0);
  if (reads)
    warp.block->order.read(warp.index, address, isGlobal, inst.has(FlagAcquire));
  if (writes)
    warp.block->order.write(warp.index, address, isGlobal, inst.has(FlagRelease));
}

} // namespace tegula::runtime::ptx
