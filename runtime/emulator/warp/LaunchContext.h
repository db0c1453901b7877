// State that all blocks of a launch share.
#pragma once

#include "runtime/emulator/EmulatorReport.h"
#include "runtime/emulator/memory/BlockRaces.h"
#include "runtime/emulator/memory/GlobalMemory.h"
#include "runtime/emulator/warp/FabricState.h"
#include "runtime/emulator/warp/Load.h"
#include "runtime/emulator/warp/SpinDetector.h"

#include "runtime/device/Device.h"
#include "runtime/device/Interruption.h"

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::runtime::ptx {

class Observer;
class Recorder;
struct Inst;

/// Checks to run. Bounds are always checked: without them the host's memory is at stake.
struct CheckOptions {
  bool uninitialised = true; ///< registers, shared and global memory
  bool races = true;         ///< shared memory
  bool globalRaces = true;
  bool loadsBetweenBlocks = false; ///< of what another block stores, with `globalRaces`
};

/// The thread that a fault is about.
struct FaultyThread {
  const Inst *at = nullptr; ///< null in front of the first instruction
  std::array<uint32_t, 3> block{};
  uint32_t warp = 0, lane = 0; ///< a lane beyond the last means the whole warp
  std::string text;            ///< what is wrong, without the place and the thread
};

/// 32 MiB of global memory, at seven bytes a byte for the races of a block, and for those between blocks two
/// for what they store and four for what they load. A launch that touches more is watched in part.
inline constexpr size_t maxWatchedPages = size_t(32) << (20 - 10);

struct LaunchContext {
  /// With `shared` the launch runs side by side with others that have the same.
  explicit LaunchContext(SpinDetector *shared = nullptr) : spins(shared ? *shared : ownSpins) {}

  const Program *program = nullptr;
  const Function *entry = nullptr;
  std::string kernel, sourceFile;
  std::string_view text;                   ///< of the PTX
  std::span<const KernelParam> parameters; ///< those of the source
  Grid grid;
  uint32_t clusterBlocks = 1;    ///< neighbours along x, of which `grid.x` is a multiple
  uint32_t threads = lanes;      ///< of a block, in x
  uint32_t programsPerBlock = 1; ///< above 1: a program for each warp
  uint32_t dynamicShared = 0;
  uint32_t multiprocessors = 1;
  std::span<const std::byte> params;
  GlobalMemory *memory = nullptr;
  CheckOptions checks;
  uint64_t seed = 0;
  uint64_t instructionLimit = 0;
  uint64_t instructionsLeft = 0;
  std::vector<Counters> counters; ///< by place
  Recorder *recorder = nullptr;   ///< null where there is no profile
  Observer *observer = nullptr;   ///< null where nothing watches
  bool isGivenUp = false;         ///< the observer said so
  std::string *printed = nullptr;
  std::function<void(uint64_t)> progress; ///< told how many blocks are done; may be empty
  uint64_t blocksDone = 0;
  Interruption interruption;
  FabricState *fabric = nullptr; ///< null where the device is none of a fabric's
  uint32_t device = 0;           ///< its rank
  uint32_t number = 0;           ///< among the launches of the fabric
  uint32_t blocksBefore = 0;     ///< of the launches before in the fabric
  uint32_t firstColumn = 0;      ///< of its blocks, in the fabric's clock
  uint64_t mostResident = 0;     ///< blocks that are resident at most; 0: as many as fit
  PageBudget watched{maxWatchedPages}, watchedBetweenBlocks{maxWatchedPages};
  BlockRaces blockRaces{watchedBetweenBlocks};
  SpinDetector ownSpins;
  SpinDetector &spins;
  std::string fault; ///< not empty once a thread misbehaved
  SourcePlace faultPlace;
  FaultyThread faultThread;

  uint64_t blockCount() const { return uint64_t(grid.x) * grid.y * grid.z; }
  /// Returns true if blocks belong to clusters that something of the kernel needs.
  bool hasClusters() const { return clusterBlocks > 1 || program->module.needsClusters; }
  uint32_t warpsPerBlock() const { return (threads + lanes - 1) / lanes; }
  uint32_t sharedBytes() const { return program->module.sharedBytes + dynamicShared; }
};

} // namespace tegula::runtime::ptx
