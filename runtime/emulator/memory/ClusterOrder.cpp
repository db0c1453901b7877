#include "runtime/emulator/memory/ClusterOrder.h"

namespace tegula::runtime::ptx {

void ClusterOrder::beginBlock() {
  warps.assign(clocks.warpCount(), {});
  pending = published = clocks.emptyClock();
  reads.clear();
}

void ClusterOrder::arrive(uint32_t warp, bool releases) {
  ++warps[warp].arrivals;
  if (releases)
    clocks.release(warp, pending);
}

void ClusterOrder::complete() { published = pending; }

void ClusterOrder::pass(uint32_t warp) {
  ++warps[warp].passages;
  clocks.acquire(warp, published);
}

Conflict ClusterOrder::read(uint32_t rank, uint32_t arrivals, uint32_t line, uint64_t address,
                            uint32_t count) {
  if (const Conflict write = shared.writtenAfter(published, address, count); write.found)
    return write;
  for (uint64_t at = address / granule; at <= (address + count - 1) / granule; ++at)
    reads[at] = {arrivals + 1, rank, line};
  return {};
}

Conflict ClusterOrder::write(uint32_t warp, uint64_t address, uint32_t count) const {
  if (reads.empty())
    return {};
  for (uint64_t at = address / granule; at <= (address + count - 1) / granule; ++at)
    if (const auto found = reads.find(at);
        found != reads.end() && found->second.barrier > warps[warp].passages)
      return {.found = true, .warp = found->second.rank, .line = found->second.line, .address = at * granule};
  return {};
}

} // namespace tegula::runtime::ptx
