// The common part of the devices of a fabric: one address space, and launches that wait for a
// synchronisation.
#pragma once

#include "runtime/emulator/FabricRun.h"

#include <mutex>

namespace tegula::runtime {

class FabricQueue {
public:
  /// Runs all under `schedules` seeds from `seed` on, with at most `residentBlocks` of a device at once; 0:
  /// as many as fit.
  FabricQueue(uint32_t world, uint64_t memoryBytes, uint64_t seed, uint32_t schedules,
              uint64_t residentBlocks)
      : memory(memoryBytes), firstSeed(seed), schedules(schedules), resident(residentBlocks), queues(world) {}

  uint32_t world() const { return uint32_t(queues.size()); }
  /// `rank`'s next launch. The caller holds no lock.
  void add(uint32_t rank, FabricLaunch launch);
  /// Waits for what is queued. On the thread of a host: for what its own rank has launched. Elsewhere
  /// everything runs, side by side. Errors: Fault, Interrupted; then nothing is left in the queues.
  Result<void> settle();
  /// Runs `host` for every rank, and their launches with them, under `seed`. Errors: the first of a launch or
  /// a host, and Fault for pads that are not zero in the end, with `checksPads`; InvalidArgument while it
  /// runs already. `culprit`, unless null, gets the rank that the error is about.
  Result<void> run(uint64_t seed, bool checksPads, FabricHosts::Host host, uint32_t *culprit);
  /// On the thread of a host: waits until all hosts call this. With `orders` all that devices do behind it
  /// comes after what any of them did in front of it. Errors: Fault, where a host ends instead, or a launch
  /// failed; InvalidArgument elsewhere.
  Result<void> meet(bool orders);
  /// Forgets what is queued.
  void drop();

  std::mutex mutex; ///< of everything here, but while a host goes on
  FabricMemory memory;

private:
  Result<void> runQueued();

  uint64_t firstSeed;
  uint32_t schedules;
  uint64_t resident;
  FabricLaunches queues;
  bool hasHosts = false;
};

} // namespace tegula::runtime
