// One block of threads: its warps, barriers and shared memory, and the launch it belongs to.
#pragma once

#include "runtime/emulator/Clocks.h"
#include "runtime/emulator/EmulatorReport.h"
#include "runtime/emulator/GlobalMemory.h"
#include "runtime/emulator/GlobalRaces.h"
#include "runtime/emulator/Load.h"
#include "runtime/emulator/SharedMemory.h"
#include "runtime/emulator/Warp.h"

#include "runtime/device/Device.h"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tegula::runtime::ptx {

/// Which checks run. Bounds are always checked: without them the host's memory is at stake.
struct CheckOptions {
  bool uninitialised = true; ///< registers, shared and global memory
  bool races = true;         ///< shared memory
  bool globalRaces = true;
};

/// What all blocks of a launch share.
struct LaunchContext {
  const Program *program = nullptr;
  const Function *entry = nullptr;
  std::string kernel, sourceFile;
  Grid grid;
  uint32_t threads = 32;         ///< of a block, in x
  uint32_t programsPerBlock = 1; ///< above 1: a program for each warp
  uint32_t dynamicShared = 0;
  std::span<const std::byte> params;
  GlobalMemory *memory = nullptr;
  CheckOptions checks;
  uint64_t seed = 0;
  uint64_t instructionLimit = 0;
  uint64_t instructionsLeft = 0;
  std::vector<Counters> counters; ///< by place
  std::string *printed = nullptr;
  uint64_t blocksDone = 0;
  std::unordered_map<uint64_t, uint64_t>
      released;      ///< global addresses, and the block that released there last
  std::string fault; ///< not empty once a thread misbehaved
};

/// A small, fast generator: the schedule must be the same on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t mixed = (state += 0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }
  /// Uniform enough below `bound`, which is not zero.
  uint64_t below(uint64_t bound) { return next() % bound; }

private:
  uint64_t state;
};

struct Target;

class Block {
public:
  explicit Block(LaunchContext &launch);

  /// Runs the block with index (x, y, z) to its end. False once the launch has a fault.
  bool run(std::array<uint32_t, 3> blockIndex);

  LaunchContext &launch;
  Clocks clocks;
  SharedMemory shared;
  GlobalRaces globals;

  Counters *counters() { return launch.counters.data(); }
  void spend(uint64_t instructions) {
    launch.instructionsLeft -=
        instructions < launch.instructionsLeft ? instructions : launch.instructionsLeft;
  }
  /// The value of a special register that does not change while a block runs.
  uint64_t specialValue(Special which, uint32_t warp, uint32_t lane) const;
  /// A clock that moves with every instruction of the launch.
  uint64_t time() const { return launch.instructionLimit - launch.instructionsLeft; }

  /// Rows that one warp may have on its stack of frames.
  uint64_t maxRows() const { return maxRegisterBytes / (lanes * sizeof(uint64_t)) / warps.size(); }

  /// Whether values must be defined and memory initialised.
  bool checksInitialised() const { return launch.checks.uninitialised; }

  void reportFault(const Warp &warp, uint32_t lane, std::string text);
  /// A read of memory that nobody has written. It may be that a barrier is missing and the write comes yet,
  /// so this is the fault only if no race shows before the next fault or the end of the block.
  void reportUnwritten(const Warp &warp, uint32_t lane, std::string text);
  /// A race is about to be reported: it explains the read of unwritten memory before it.
  void forgetUnwritten() { unwritten.clear(); }
  void warpEnded(Warp &warp);

  /// A warp arrives at barrier `number` for `threads` threads (0: all of the block); with `waits` it
  /// stops there until the barrier completes.
  void arrive(Warp &warp, const Inst &inst, uint32_t number, uint32_t threads, bool waits);
  /// What a strong access at `target` learns and hands on, by the order that `inst` names. The caller ticks
  /// once the instruction is done.
  void synchronizeAt(Warp &warp, const Inst &inst, const Target &target, bool reads, bool writes);
  void fence(Warp &warp);
  /// Starts a new moment of the warp.
  void tick(const Warp &warp);

  /// "thread 3 of warp 1" style names for messages: the thread index in the block.
  std::string threadName(uint32_t warp, uint32_t lane) const;
  /// "add.py:12" for the source line that PTX line `line` came from, and the PTX line itself.
  std::string placeName(uint32_t line) const;

private:
  struct Barrier {
    uint32_t expected = 0; ///< threads of an explicit count, 0: all
    uint32_t arrivedThreads = 0;
    uint32_t arrivedWarps = 0; ///< mask of those arrived
    uint32_t waiting = 0;      ///< mask of those that wait
    Clocks::Clock clock;
  };
  uint32_t liveThreads() const;
  void tryComplete(uint32_t number);
  void finishReduction(Barrier &barrier);
  void reportDeadlock();
  const Place &placeOf(const Inst &inst) const { return launch.program->module.places[inst.place]; }
  std::string describe(const Place &place) const;
  /// `block (1,0,0)`, and which program of those that share it.
  std::string blockName(uint32_t warp) const;
  std::string faultText(const Warp &warp, uint32_t lane, const std::string &text) const;

  std::vector<Warp> warps;
  std::array<Barrier, 16> barriers;
  std::array<uint32_t, 3> index{};
  std::unordered_map<uint64_t, Clocks::Clock> strongClocks; ///< by global or shared address
  std::string unwritten;                                    ///< the fault of `reportUnwritten`
  bool sawOthers = false;                                   ///< a relaxed read of what another block released
  uint32_t usedBarriers = 0;
};

/// Runs all blocks of `launch`, in an order that the seed picks. False when there was a fault.
bool runLaunch(LaunchContext &launch);

} // namespace tegula::runtime::ptx
