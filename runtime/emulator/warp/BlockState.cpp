#include "runtime/emulator/warp/BlockState.h"

#include <algorithm>
#include <utility>

namespace tegula::runtime::ptx {

BlockState::BlockState(LaunchContext &launch, Clocks configured)
    : launch(launch), clocks(std::move(configured)), shared(clocks, launch.sharedBytes()),
      globals(clocks, launch.watched), order(clocks, launch.blockRaces), clusterOrder(clocks, shared),
      unitReads(launch.sharedBytes()), faults(launch) {}

void BlockState::begin(std::array<uint32_t, 3> blockIndex, BlockRaces::BlockNumber number) {
  index = blockIndex;
  sequence = number;
  const uint32_t among = launch.fabric ? uint32_t(number) - 1 - launch.blocksBefore : rank();
  const uint32_t column = launch.firstColumn + among * clocks.ownColumns();
  if (!clocks.beginBlock(column)) {
    shared.forgetAccesses();
    globals.forgetAccesses();
    clocks.restart();
    (void)clocks.beginBlock(column); // what the old marks became is of an earlier block
  }
  if (launch.fabric)
    launch.fabric->order.beginBlock(launch.device, clocks);
  shared.beginBlock();
  globals.beginBlock();
  launch.blockRaces.beginBlock();
  order.beginBlock(number);
  clusterOrder.beginBlock(rank());
  hasMet = false;
  unitReads.beginBlock();
  mbarrierWords.beginBlock();
  faults.beginBlock(blockIndex);
}

uint32_t BlockState::nextMoment(uint32_t agent) {
  if (!clocks.tickAgent(agent)) {
    restartClocks();
    (void)clocks.tickAgent(agent);
  }
  return clocks.agentMoment(agent);
}

void BlockState::restartClocks() {
  shared.forgetAccesses();
  globals.forgetAccesses();
  clocks.restart();
  order.restart();
  clusterOrder.restart();
  if (launch.fabric)
    launch.fabric->order.forget();
  for (size_t other = 0; cluster && other < cluster->members.size(); ++other)
    if (BlockState *const block = cluster->members[other].block; block && block != this)
      block->clocks.forget(clocks);
}

Conflict BlockState::writeGlobal(const Access &access, uint64_t address, uint32_t count, const uint8_t *old,
                                 const uint8_t *values) {
  const Conflict between = launch.blockCount() == 1
                               ? Conflict{}
                               : launch.blockRaces.write(access, accessor(), address, count, old, values);
  return between.found ? between
                       : betweenPrograms(access, globals.write(access, address, count, old, values), true);
}

Conflict BlockState::readGlobal(const Access &access, uint64_t address, uint32_t count) {
  // On a fabric other devices may order two blocks of one, which the launch does not see.
  const bool isWatched = launch.checks.loadsBetweenBlocks && launch.blockCount() > 1 && !launch.fabric;
  const Conflict between =
      isWatched ? launch.blockRaces.read(access, accessor(), address, count) : Conflict{};
  return between.found ? between : betweenPrograms(access, globals.read(access, address, count), false);
}

Conflict BlockState::betweenPrograms(const Access &access, Conflict conflict, bool writes) const {
  const bool isShared = launch.programsPerBlock > 1 && conflict.found && conflict.warp != access.warp;
  if (!isShared)
    return conflict;
  if (!(writes && conflict.wasWrite) && !launch.checks.loadsBetweenBlocks)
    return {};
  conflict.otherBlock = true;
  return conflict;
}

BlockRaces::Accessor BlockState::accessor() const {
  return {sequence, order.isAfterOthers(), hasMet ? launch.clusterBlocks : 1};
}

bool BlockState::differs(Special which) {
  using enum Special;
  static constexpr std::array all = {CtaidX,     CtaidY,     CtaidZ,        ClusterIdX,
                                     ClusterIdY, ClusterIdZ, ClusterCtaidX, ClusterCtarank};
  return std::ranges::find(all, which) != all.end();
}

uint64_t BlockState::specialValue(Special which, uint32_t warp, uint32_t lane) const {
  switch (which) {
  case Special::TidX:
    return warp * lanes + lane;
  case Special::NtidX:
    return launch.threads;
  case Special::CtaidX:
    return index[0];
  case Special::CtaidY:
  case Special::ClusterIdY:
    return index[1];
  case Special::CtaidZ:
  case Special::ClusterIdZ:
    return index[2];
  case Special::ClusterIdX:
    return index[0] / launch.clusterBlocks;
  case Special::NclusterIdX:
    return launch.grid.x / launch.clusterBlocks;
  case Special::ClusterCtaidX:
  case Special::ClusterCtarank:
    return rank();
  case Special::ClusterNctaidX:
  case Special::ClusterNctarank:
    return launch.clusterBlocks;
  case Special::NctaidX:
    return launch.grid.x;
  case Special::NctaidY:
  case Special::NclusterIdY:
    return launch.grid.y;
  case Special::NctaidZ:
  case Special::NclusterIdZ:
    return launch.grid.z;
  case Special::LaneId:
    return lane;
  case Special::WarpId:
    return warp;
  case Special::NwarpId:
    return launch.warpsPerBlock();
  case Special::NtidY:
  case Special::NtidZ:
  case Special::NsmId:
  case Special::ClusterNctaidY:
  case Special::ClusterNctaidZ:
    return 1;
  case Special::LanemaskEq:
    return uint32_t(1) << lane;
  case Special::LanemaskLe:
    return uint32_t(lowMask(lane + 1));
  case Special::LanemaskLt:
    return uint32_t(lowMask(lane));
  case Special::LanemaskGe:
    return uint32_t(~lowMask(lane));
  case Special::LanemaskGt:
    return uint32_t(~lowMask(lane + 1));
  case Special::DynamicSmemSize:
    return launch.dynamicShared;
  case Special::TotalSmemSize:
    return shared.size();
  default:
    return 0;
  }
}

} // namespace tegula::runtime::ptx
