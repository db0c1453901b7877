// One run of what a fabric's ranks have launched, alone or together with their hosts.
#pragma once

#include "runtime/emulator/FabricQueue.h"

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tegula::runtime {

class FabricRun {
public:
  /// `reports` counts what launches cost and print.
  FabricRun(FabricQueue &fabric, uint64_t seed, bool reports);

  /// Adds launches behind those of their ranks.
  void add(const FabricQueue::Queues &launches);
  /// Runs until nothing is left. With hosts these go on when their launches have ended, and add others; `lock`, of the fabric, is
  /// given up meanwhile. Errors: Fault, Interrupted, what a host has failed with; of which rank, `culprit` says.
  Result<void> run(FabricHosts *hosts, std::unique_lock<std::mutex> &lock);
  uint32_t culprit() const { return rankAtFault; }
  /// Errors when a word of a pad is not zero: the next launch would take it for a signal.
  Result<void> checkPads();

private:
  /// A launch, and all that it works on.
  struct Launched {
    FabricQueue::Queued queued;
    std::string printed;
    ptx::LaunchContext launch;
    Launched(FabricQueue::Queued taken, ptx::SpinDetector &spins) : queued(std::move(taken)), launch(&spins) {}
  };

  void begin();
  Result<void> runAll(FabricHosts *hosts, std::unique_lock<std::mutex> &lock);
  /// The ranks that can go on: their devices, or else their hosts.
  std::vector<uint32_t> ready(FabricHosts *hosts) const;
  Result<void> resumeHost(FabricHosts &hosts, uint32_t rank, std::unique_lock<std::mutex> &lock);
  /// All hosts that have not ended meet: what follows comes after all before. Errors: Fault where one has ended.
  Result<void> endMeeting(FabricHosts &hosts);
  Result<void> stepDevice(FabricHosts *hosts, uint32_t rank);
  /// The fault of a launch, if there is one. Races and reads of what nothing has written come last.
  Result<void> faultOfLaunch();
  Result<void> faultOfRanks();

  FabricQueue &fabric;
  uint64_t seed;
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
