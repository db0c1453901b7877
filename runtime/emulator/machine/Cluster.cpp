#include "runtime/emulator/machine/Cluster.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::runtime::ptx {

void Cluster::blockBegins(BlockState &block, std::span<Warp> warps, uint32_t rank) {
  places[rank] = {&block, warps, true, false};
  blocks[rank] = &block;
}

void Cluster::blockEnds(uint32_t rank) {
  places[rank].block = nullptr;
  blocks[rank] = nullptr;
  ++ended;
  tryComplete();
}

void Cluster::arrive(Warp &warp, bool releases) {
  ClusterOrder &order = warp.block->clusterOrder;
  if (warp.mask != warp.live)
    return warp.fault(wholeWarp, "reached by part of the warp: lanes {:#010x} of {:#010x}", warp.mask,
                      warp.live);
  if (order.arrivals(warp.index) != order.passages(warp.index))
    return warp.fault(wholeWarp, "the warp arrives twice at the cluster's barrier, and has not waited");
  order.arrive(warp.index, releases);
  warp.block->tick(warp.index);
  tryComplete();
}

void Cluster::wait(Warp &warp) {
  ClusterOrder &order = warp.block->clusterOrder;
  if (warp.mask != warp.live)
    return warp.fault(wholeWarp, "reached by part of the warp: lanes {:#010x} of {:#010x}", warp.mask,
                      warp.live);
  if (order.arrivals(warp.index) == order.passages(warp.index))
    return warp.fault(wholeWarp, "the warp waits at the cluster's barrier, and has not arrived");
  if (order.arrivals(warp.index) <= completed)
    return warp.block->passCluster(warp.index);
  warp.state = Warp::State::Waiting;
  warp.rests = Warp::Rest::Cluster;
  warp.waitingInst = warp.current;
}

bool Cluster::hasArrived(const Place &place) const {
  if (!place.block)
    return place.hasBegun;
  return std::ranges::all_of(place.warps, [&](const Warp &warp) {
    return warp.state == Warp::State::Done || place.block->clusterOrder.arrivals(warp.index) > completed;
  });
}

void Cluster::tryComplete() {
  if (ended == places.size() ||
      !std::ranges::all_of(places, [&](const Place &place) { return hasArrived(place); }))
    return;
  ++completed;
  for (Place &place : places)
    if (place.block) {
      place.block->clusterOrder.complete();
      place.block->launch.spins.progressed();
    }
  for (Place &place : places) {
    place.waits = false;
    if (!place.block)
      continue;
    for (Warp &warp : place.warps)
      if (warp.state == Warp::State::Waiting && warp.rests == Warp::Rest::Cluster) {
        warp.state = Warp::State::Ready;
        warp.waitingInst = nullptr;
        place.block->passCluster(warp.index);
      }
  }
}

bool Cluster::mayWait(uint32_t rank) {
  places[rank].waits = true;
  return std::ranges::any_of(
      places, [](const Place &place) { return !place.hasBegun || (place.block && !place.waits); });
}

std::string Cluster::describe() const {
  const auto arrived = std::ranges::count_if(places, [&](const Place &place) { return hasArrived(place); });
  return fmt::format("the barrier of its cluster, where {} of {} blocks have arrived", arrived,
                     places.size());
}

} // namespace tegula::runtime::ptx
