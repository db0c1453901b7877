#include "runtime/emulator/machine/Cluster.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::runtime::ptx {

void Cluster::blockBegins(BlockState &block, std::span<Warp> warps, uint32_t rank) {
  members[rank] = {&block, false};
  warpsOf[rank] = warps;
}

void Cluster::blockEnds(uint32_t rank) {
  members[rank].hasEnded = true;
  ++ended;
}

void Cluster::arrive(Warp &warp, bool releases) {
  ClusterOrder &order = warp.block->clusterOrder;
  if (!warp.requireConverged())
    return;
  if (order.arrivals(warp.index) != order.passages(warp.index))
    return warp.fault(wholeWarp, "the warp arrives twice at the cluster's barrier, and has not waited");
  order.arrive(warp.index, releases);
  warp.block->tick(warp.index);
  tryComplete();
}

void Cluster::wait(Warp &warp) {
  ClusterOrder &order = warp.block->clusterOrder;
  if (!warp.requireConverged())
    return;
  if (order.arrivals(warp.index) == order.passages(warp.index))
    return warp.fault(wholeWarp, "the warp waits at the cluster's barrier, and has not arrived");
  if (order.arrivals(warp.index) <= completed)
    return warp.block->passCluster(warp.index);
  warp.state = Warp::State::Waiting;
  warp.rests = Warp::Rest::Cluster;
  warp.waitingInst = warp.current;
}

bool Cluster::hasArrived(uint32_t rank) const {
  const BlockState *const block = members[rank].block;
  return block && std::ranges::all_of(warpsOf[rank], [&](const Warp &warp) {
           return warp.state == Warp::State::Done || block->clusterOrder.arrivals(warp.index) > completed;
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
  bool areAfterOthers = false;
  for (const Member &member : members) {
    member.block->clusterOrder.complete();
    areAfterOthers |= member.block->order.isAfterOthers();
  }
  for (uint32_t rank = 0; rank < members.size(); ++rank) {
    BlockState &block = *members[rank].block;
    if (areAfterOthers)
      block.order.followOthers();
    for (Warp &warp : warpsOf[rank])
      if (warp.state == Warp::State::Waiting && warp.rests == Warp::Rest::Cluster) {
        warp.state = Warp::State::Ready;
        warp.waitingInst = nullptr;
        block.passCluster(warp.index);
      }
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
