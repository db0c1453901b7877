// Launches of the devices of a fabric: those of a device one after another, those of different devices side
// by side.
#pragma once

#include "runtime/emulator/machine/Launch.h"

#include <deque>
#include <memory>
#include <vector>

namespace tegula::runtime::ptx {

class SideBySide {
public:
  /// The launches share `spins`.
  SideBySide(uint32_t world, SpinDetector &spins) : devices(world), spins(spins) {}

  /// Adds a launch behind those of its device.
  void add(LaunchContext &launch) { devices[launch.device].launches.push_back(&launch); }
  /// Returns true if the device has nothing to run.
  bool isIdle(uint32_t device) const { return devices[device].launches.empty(); }
  /// The launch that runs next on the device, which is not idle.
  LaunchContext &front(uint32_t device) const { return *devices[device].launches.front(); }
  /// Gives the device, which is not idle, one turn.
  Schedule::Step step(uint32_t device);
  /// Returns true if no device gets any further, which is then the fault of one of their launches.
  bool reportIfStuck();

private:
  struct Device {
    std::deque<LaunchContext *> launches; ///< the first one runs
    std::unique_ptr<Schedule> head;       ///< of the first one; null before it begins
  };
  std::vector<Device> devices;
  SpinDetector &spins;
};

} // namespace tegula::runtime::ptx
