// The state that the warps and units of a block share: its memory, clocks, counts and faults. They know this
// and nothing of the block that runs them.
#pragma once

#include "runtime/emulator/memory/Clocks.h"
#include "runtime/emulator/memory/ClusterOrder.h"
#include "runtime/emulator/memory/GlobalRaces.h"
#include "runtime/emulator/memory/MbarrierWords.h"
#include "runtime/emulator/memory/SharedMemory.h"
#include "runtime/emulator/memory/StrongOrder.h"
#include "runtime/emulator/memory/UnitReads.h"
#include "runtime/emulator/warp/ClusterState.h"
#include "runtime/emulator/warp/Faults.h"
#include "runtime/emulator/warp/LaunchContext.h"

#include <array>
#include <cstdint>

namespace tegula::runtime::ptx {

class BlockState {
public:
  BlockState(LaunchContext &launch, Clocks configured);
  BlockState(const BlockState &) = delete; // its parts know where it lies
  BlockState &operator=(const BlockState &) = delete;

  LaunchContext &launch;
  Clocks clocks;
  SharedMemory shared;
  GlobalRaces globals;
  StrongOrder order;
  ClusterOrder clusterOrder;
  ClusterState *cluster = nullptr; ///< null where the launch has none
  UnitReads unitReads;
  MbarrierWords mbarrierWords;
  Faults faults;

  BlockRaces::BlockNumber number() const { return sequence; }
  Counters *counters() { return launch.counters.data(); }
  void spend(uint64_t instructions) {
    launch.instructionsLeft -=
        instructions < launch.instructionsLeft ? instructions : launch.instructionsLeft;
  }
  /// The value of a special register that does not change while a block runs.
  uint64_t specialValue(Special which, uint32_t warp, uint32_t lane) const;
  /// Returns true if that value differs from block to block of a launch.
  static bool differs(Special which);
  /// The number of the block among those of its cluster.
  uint32_t rank() const { return index[0] % launch.clusterBlocks; }
  /// A warp has waited for others of the cluster, and comes after what these did to global memory. With
  /// `afterOthers` one of them has acquired what another block released.
  void meetCluster(bool afterOthers) {
    hasMet = true;
    if (afterOthers)
      order.followOthers();
  }
  /// The agent whose moments are fences behind initialisations of mbarriers, `fence.mbarrier_init`. Launches
  /// with clusters have it.
  uint32_t initAgent() const { return clocks.readers() - clocks.warpCount(); }
  /// A clock that moves with every instruction of the launch.
  uint64_t time() const { return launch.instructionLimit - launch.instructionsLeft; }
  /// Rows that one warp may have on its stack of frames.
  uint64_t maxRows() const { return maxRegisterBytes / (lanes * sizeof(uint64_t)) / launch.warpsPerBlock(); }
  /// Returns true if values must be defined and memory initialised.
  bool checksInitialised() const { return launch.checks.uninitialised; }

  /// Starts a new moment of the warp.
  void tick(uint32_t warp) {
    if (!clocks.tick(warp))
      restartClocks();
  }
  /// Starts a new moment of an agent.
  uint32_t nextMoment(uint32_t agent);
  void fence(uint32_t warp) {
    order.fence(warp);
    tick(warp);
  }
  /// Looks for races of a store to global memory, within the block and with other blocks.
  Conflict writeGlobal(const Access &access, uint64_t address, uint32_t count, const uint8_t *old,
                       const uint8_t *values);
  /// Looks for races of a load from global memory likewise.
  Conflict readGlobal(const Access &access, uint64_t address, uint32_t count);

  /// The PTX line of the instruction under way that will write the row of a warp, or 0: for the message where
  /// its value is used.
  virtual uint32_t writerOf(uint32_t warp, Row row) const = 0;

protected:
  ~BlockState() = default;
  /// Becomes the block with index (x, y, z), the `number`th of the launch to begin.
  void begin(std::array<uint32_t, 3> blockIndex, BlockRaces::BlockNumber number);

private:
  /// Moments have run out.
  void restartClocks();
  /// A conflict in the block as one of two programs that share it, where it is: none for a load that is not
  /// looked for.
  Conflict betweenPrograms(const Access &access, Conflict conflict, bool writes) const;
  /// The block as others see its accesses now.
  BlockRaces::Accessor accessor() const;

  std::array<uint32_t, 3> index{};
  BlockRaces::BlockNumber sequence = 0;
  bool hasMet = false; ///< others of its cluster, at a barrier or an mbarrier
};

} // namespace tegula::runtime::ptx
