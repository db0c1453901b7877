// The common part of the devices of a fabric: one address space, and launches that wait for a
// synchronisation.
#pragma once

#include "runtime/emulator/machine/Launch.h"
#include "runtime/emulator/memory/GlobalMemory.h"

#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace tegula::runtime {

class FabricQueue {
public:
  /// A launch that has not run. Both own what they need.
  struct Queued {
    std::function<void(ptx::LaunchContext &, uint64_t seed)>
        prepare;                                           ///< fills in all but the fabric's fields
    std::function<void(const ptx::LaunchContext &)> count; ///< takes its cost, after the first schedule
  };

  /// Runs all under `schedules` seeds from `seed` on, with at most `residentBlocks` of a device at once; 0:
  /// as many as fit.
  FabricQueue(uint32_t world, uint64_t memoryBytes, uint64_t seed, uint32_t schedules,
              uint64_t residentBlocks)
      : memory(memoryBytes), firstSeed(seed), schedules(schedules), resident(residentBlocks), queues(world) {}

  uint32_t world() const { return uint32_t(queues.size()); }
  /// `rank`'s next launch. The caller holds no lock.
  void add(uint32_t rank, Queued launch);
  /// Runs all that is queued, side by side. Errors: Fault, Interrupted; then nothing is left in the queues.
  Result<void> run();
  /// Forgets what is queued.
  void drop();

  std::mutex mutex; ///< of everything here
  ptx::GlobalMemory memory;

private:
  using Queues = std::vector<std::vector<Queued>>;
  Result<void> runOnce(const Queues &taken, uint64_t seed, bool reports);
  /// Errors when a word of a pad is not zero: the next launch would take it for a signal.
  Result<void> checkPads(const std::vector<ptx::LaunchContext *> &launches);

  uint64_t firstSeed;
  uint32_t schedules;
  uint64_t resident;
  Queues queues; ///< by rank
  ptx::FabricOrder order;
};

} // namespace tegula::runtime
