#include "runtime/emulator/machine/Cluster.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::runtime::ptx {

void Cluster::blockBegins(BlockState &block, std::span<Warp> warps, uint32_t rank) {
  members[rank] = {&block, false};
  warpsOf[rank] = warps;
  turns[rank].assign(warps.size(), {});
  if (pending.empty())
    pending = last = block.clocks.emptyClock();
}

void Cluster::blockEnds(uint32_t rank) {
  members[rank].hasEnded = true;
  ++ended;
}

void Cluster::arrive(Warp &warp, bool releases) {
  if (!warp.requireConverged())
    return;
  Turns &own = turnsOf(warp);
  if (own.arrivals != own.passages)
    return warp.fault(wholeWarp, "the warp arrives twice at the cluster's barrier, and has not waited");
  ++own.arrivals;
  BlockState &block = *warp.block;
  if (releases)
    block.clocks.release(warp.index, pending);
  else // mbarriers are initialised for all who come: the fence behind that is a release
    block.clocks.releaseAgent(block.initAgent(), block.clocks.learned(warp.index, block.initAgent()),
                              pending);
  block.tick(warp.index);
  tryComplete();
}

void Cluster::wait(Warp &warp) {
  if (!warp.requireConverged())
    return;
  const Turns &own = turnsOf(warp);
  if (own.arrivals == own.passages)
    return warp.fault(wholeWarp, "the warp waits at the cluster's barrier, and has not arrived");
  if (own.arrivals <= completed)
    return pass(warp);
  warp.waitFor(Warp::Rest::Cluster, 0);
}

void Cluster::pass(Warp &warp) {
  ++turnsOf(warp).passages;
  warp.block->clocks.acquire(warp.index, last);
  warp.block->meetCluster(areAfterOthers);
}

bool Cluster::hasArrived(uint32_t rank) const {
  return members[rank].block && std::ranges::all_of(warpsOf[rank], [&](const Warp &warp) {
           return warp.state == Warp::State::Done || turns[rank][warp.index].arrivals > completed;
         });
}

uint32_t Cluster::arrivedBlocks() const {
  uint32_t count = 0;
  for (uint32_t rank = 0; rank < members.size(); ++rank)
    count += hasArrived(rank);
  return count;
}

void Cluster::tryComplete() {
  if (arrivedBlocks() < members.size())
    return;
  ++completed;
  last = pending;
  for (const Member &member : members)
    areAfterOthers |= member.block->order.isAfterOthers();
  for (const std::span<Warp> warps : warpsOf)
    for (Warp &warp : warps)
      if (warp.state == Warp::State::Waiting && warp.rests == Warp::Rest::Cluster) {
        warp.state = Warp::State::Ready;
        warp.waitingInst = nullptr;
        pass(warp);
      }
  std::fill(waits.begin(), waits.end(), false);
  members[0].block->launch.spins.progressed();
}

bool Cluster::mayWait(uint32_t rank) {
  waits[rank] = true;
  for (uint32_t other = 0; other < members.size(); ++other)
    if (!members[other].block || (!members[other].hasEnded && !waits[other]))
      return true;
  return false;
}

std::optional<uint32_t> Cluster::missing(uint32_t rank) const {
  if (!hasArrived(rank))
    return rank;
  for (uint32_t other = 0; other < members.size(); ++other)
    if (!hasArrived(other))
      return other;
  return std::nullopt;
}

std::string Cluster::describe() const {
  return fmt::format("the barrier of its cluster, where {} of {} blocks have arrived", arrivedBlocks(),
                     members.size());
}

} // namespace tegula::runtime::ptx
