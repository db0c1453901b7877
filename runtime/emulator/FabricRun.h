// One run of what a fabric's ranks have launched, alone or together with their hosts.
#pragma once

#include "runtime/emulator/FabricHosts.h"
#include "runtime/emulator/FabricMemory.h"
#include "runtime/emulator/machine/SideBySide.h"

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace tegula::runtime {

/// A launch that has not run. Both own what they need.
struct FabricLaunch {
  std::function<void(ptx::LaunchContext &, uint64_t seed)> prepare; ///< fills in all but the fabric's fields
  std::function<void(const ptx::LaunchContext &)> count; ///< takes its cost, under the first schedule
};
using FabricLaunches = std::vector<std::vector<FabricLaunch>>; ///< by rank

class FabricRun {
public:
  /// At most `residentBlocks` of a device run at once; 0: as many as fit. `reports` counts what launches cost
  /// and print.
  FabricRun(FabricMemory &memory, uint32_t world, uint64_t residentBlocks, uint64_t seed, bool reports);

  /// Adds launches behind those of their ranks.
  void add(const FabricLaunches &added);
  /// Runs until nothing is left. Errors: Fault, Interrupted; of which rank, `culprit` says.
  Result<void> run();
  /// The same with hosts, which go on when their launches have ended, and then make others, that `take`
  /// gives; `lock`, of the fabric, is given up meanwhile. Errors: what a host has failed with as well.
  Result<void> run(FabricHosts &hosts, std::unique_lock<std::mutex> &lock,
                   const std::function<FabricLaunches()> &take);
  uint32_t culprit() const { return rankAtFault; }
  /// Errors when a word of a pad is not zero: the next launch would take it for a signal.
  Result<void> checkPads();

private:
  /// A launch, and all that it works on.
  struct Launched {
    FabricLaunch queued;
    std::string printed;
    ptx::LaunchContext launch;
    Launched(FabricLaunch taken, ptx::SpinDetector &spins) : queued(std::move(taken)), launch(&spins) {}
  };
  using Lock = std::unique_lock<std::mutex>;
  /// The hosts, and what they need; null where there are none.
  struct Hosts {
    FabricHosts &programs;
    Lock &lock;
    const std::function<FabricLaunches()> &take;
  };

  void begin();
  Result<void> runAndExplain(const Hosts *hosts);
  Result<void> runAll(const Hosts *hosts);
  /// The ranks that can go on: their devices, or else their hosts.
  std::vector<uint32_t> ready(const Hosts *hosts) const;
  Result<void> resumeHost(const Hosts &hosts, uint32_t rank);
  /// All hosts that have not ended meet. Errors: Fault where one has ended.
  Result<void> endMeeting(FabricHosts &hosts);
  Result<void> stepDevice(const Hosts *hosts, uint32_t rank);
  /// The fault of a launch, if there is one. Races and reads of what nothing has written come last.
  Result<void> faultOfLaunch();
  Result<void> faultOfRanks();

  FabricMemory &memory;
  uint32_t world;
  uint64_t residentBlocks, seed;
  bool reports;
  ptx::Random random;
  uint64_t turn = 0;
  ptx::SpinDetector spins;
  ptx::FabricState state;
  std::deque<std::unique_ptr<Launched>> launches; ///< since the hosts met last
  std::deque<std::unique_ptr<Launched>> over;     ///< those before, kept until the fabric's lock is given up
  ptx::SideBySide devices;
  uint32_t blocks = 0;
  uint32_t rankAtFault = 0;
};

} // namespace tegula::runtime
