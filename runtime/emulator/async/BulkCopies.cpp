#include "runtime/emulator/async/BulkCopies.h"

#include "runtime/emulator/warp/Access.h"
#include "runtime/emulator/warp/DeviceAccess.h"
#include "runtime/emulator/warp/Write.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace tegula::runtime::ptx {

void BulkCopies::beginBlock() {
  loads.clear();
  stores.clear();
  landedFromOthers.clear();
  for (std::array<uint32_t, lanes> &groups : committed)
    groups.fill(0);
}

void BulkCopies::fault(const BulkCopy &copy, const std::string &text) {
  copy.issuer->current = copy.inst;
  copy.issuer->fault(copy.lane, "{}", text);
}

/// The place of a chunk in the shared memory of `block`, as the copy's issuer sees it.
static Target targetIn(BlockState &block, const BulkCopy &copy, const BulkChunk &chunk) {
  Target target = sharedTarget(*copy.issuer, chunk.shared);
  target.owner = copy.issuer->block == &block ? nullptr : &block;
  target.bytes = block.shared.data() + chunk.shared;
  return target;
}

void BulkCopies::load(BulkCopy copy) {
  Warp &warp = *copy.issuer;
  const Mbarrier *const mbarrier = mbarriers.useByUnit(warp, copy.lane, copy.mbarrier);
  if (!mbarrier)
    return;
  copy.phase = mbarrier->phase;
  (void)block.nextMoment(mbarrier->agent);
  copy.write = block.clusterOrder.markOf(accessOf(warp, copy.lane, false), mbarrier->agent);
  for (const BulkChunk &chunk : copy.chunks) {
    const Target target = targetIn(block, copy, chunk);
    if (!isPublished(warp, copy.lane, target, chunkBytes, "cp.async.bulk", "writes") ||
        !beforeFill(warp, copy.lane, target, chunkBytes, chunk.bytes.data(), mbarrier->agent))
      return;
    block.shared.setPending(chunk.shared, chunkBytes, true);
  }
  loads.push_back(std::move(copy));
}

void BulkCopies::land(Random *random) {
  const auto next = loads.begin() + long(random ? random->below(loads.size()) : 0);
  BulkCopy copy = std::move(*next);
  loads.erase(next);
  SharedMemory &shared = block.shared;
  for (const BulkChunk &chunk : copy.chunks) {
    if (chunk.memory &&
        std::memcmp(chunk.memory, &chunk.bytes[chunk.first], size_t(chunk.end - chunk.first)) != 0)
      return fault(copy,
                   fmt::format("the source of the bulk copy at {:#x} changed before the copy was complete",
                               chunk.global));
    const Target target = targetIn(block, copy, chunk);
    tellObserver({*copy.issuer, copy.lane, *copy.inst, target, chunkBytes, chunk.bytes.data()});
    std::memcpy(target.bytes, chunk.bytes.data(), chunkBytes);
    shared.setPending(chunk.shared, chunkBytes, false);
  }
  const uint32_t bytes = uint32_t(copy.chunks.size()) * chunkBytes;
  const Mbarrier *const mbarrier = mbarriers.find(copy.mbarrier);
  if (!mbarrier)
    return fault(
        copy, fmt::format("the mbarrier at {:#x}{} is gone before the bulk copy that signals it is complete",
                          copy.mbarrier, mbarriers.blockNameFor(*copy.issuer)));
  if (mbarrier->phase != copy.phase)
    return fault(copy,
                 fmt::format("phase {} of the mbarrier at {:#x}{} has completed without the {} bytes of "
                             "this bulk copy: too few were expected",
                             copy.phase, copy.mbarrier, mbarriers.blockNameFor(*copy.issuer), bytes));
  block.launch.spins.progressed();
  mbarriers.complete(copy.mbarrier, bytes, copy.write.stamp / 64);
  if (isOwn(copy))
    return;
  copy.chunks.clear();
  BulkCopy &last = landedFromOthers[mbarrier->agent];
  if (last.write.restarts != copy.write.restarts || last.write.stamp < copy.write.stamp)
    last = std::move(copy);
}

void BulkCopies::store(BulkCopy copy) {
  copy.group = committed[copy.warp][copy.lane];
  std::vector<uint32_t> chunks;
  chunks.reserve(copy.chunks.size());
  for (const BulkChunk &chunk : copy.chunks)
    chunks.push_back(chunk.shared);
  copy.reading = block.unitReads.begin({"bulk copy", copy.inst->line}, std::move(chunks));
  stores.push_back(std::move(copy));
}

void BulkCopies::finishRead(BulkCopy &copy, uint32_t waiting) {
  copy.isRead = true;
  for (const uint32_t chunk : block.unitReads.end(copy.reading)) {
    // The source may have been read as late as now: the next write to it must come after this wait.
    const Access access{copy.warp, copy.lane, copy.inst->line, waiting, false};
    if (block.launch.checks.races)
      (void)block.shared.read(access, chunk, chunkBytes);
  }
}

void BulkCopies::write(const BulkCopy &copy) {
  const Access access{copy.warp, copy.lane, copy.inst->line, copy.serial, false};
  for (const BulkChunk &chunk : copy.chunks) {
    if (!chunk.memory)
      continue;
    const uint8_t *const values = &chunk.bytes[chunk.first];
    block.launch.spins.progressed();
    bool isClean = true;
    forAligned(chunk.global, uint32_t(chunk.end - chunk.first), [&](uint32_t at, uint32_t count) {
      if (!isClean)
        return;
      Target target;
      target.allocation = block.launch.memory->find(chunk.global + at);
      target.offset = chunk.global + at - target.allocation->base;
      target.bytes = chunk.memory + at;
      Warp &issuer = warps[copy.warp];
      tellObserver({issuer, copy.lane, *copy.inst, target, count, values + at});
      const Inst *const waiting = std::exchange(issuer.current, copy.inst);
      isClean = beforeAccessOnFabric(issuer, copy.lane, target, count, /*strong=*/false, /*writes=*/true);
      if (!isClean)
        return;
      issuer.current = waiting;
      target.allocation->markInitialised(target.offset, count);
      if (!block.launch.checks.globalRaces)
        return;
      const Conflict conflict =
          block.writeGlobal(access, chunk.global + at, count, chunk.memory + at, values + at);
      isClean = !conflict.found;
      if (isClean)
        return;
      issuer.current = copy.inst;
      faultConflict(issuer, copy.lane, conflict, true, "global");
    });
    if (!isClean)
      return;
    std::memcpy(chunk.memory, values, size_t(chunk.end - chunk.first));
  }
}

void BulkCopies::wait(Warp &warp, uint32_t lane, uint32_t pending, bool onlyRead) {
  const auto isMeant = [&](const BulkCopy &copy) {
    return copy.warp == warp.index && copy.lane == lane &&
           uint64_t(copy.group) + pending < committed[warp.index][lane];
  };
  for (BulkCopy &copy : stores) {
    if (warp.faulted() || !isMeant(copy))
      continue;
    if (!copy.isRead)
      finishRead(copy, warp.serial);
    if (!onlyRead)
      write(copy);
  }
  if (!onlyRead && !warp.faulted())
    std::erase_if(stores, isMeant);
}

void BulkCopies::endBlock() {
  static constexpr const char *end =
      "ends before this bulk copy to its memory is complete: no thread has waited for it";
  if (!loads.empty())
    return fault(loads.front(), isOwn(loads.front())
                                    ? fmt::format("the block {}", end)
                                    : fmt::format("block {} of the cluster {}", block.rank(), end));
  const auto isAwaited = [&](const auto &landed) {
    return std::ranges::any_of(warps, [&](const Warp &warp) {
      return block.clusterOrder.isBefore(landed.second.write, warp.index);
    });
  };
  // One that has come in time could have come too late.
  const auto late = std::ranges::find_if_not(landedFromOthers, isAwaited);
  if (late != landedFromOthers.end() && block.launch.checks.races)
    return fault(late->second, fmt::format("block {} of the cluster {}", block.rank(), end));
  for (const BulkCopy &copy : stores) {
    if (!block.launch.fault.empty())
      return;
    if (!copy.isRead)
      return fault(copy, "the block ends before this bulk copy has read its memory: "
                         "`cp.async.bulk.wait_group.read` is missing");
    write(copy);
  }
  stores.clear();
}

} // namespace tegula::runtime::ptx
