#include "runtime/emulator/machine/SideBySide.h"

#include "runtime/emulator/machine/Deadlock.h"

namespace tegula::runtime::ptx {

Schedule::Step SideBySide::step(uint32_t number) {
  Device &device = devices[number];
  LaunchContext &launch = *device.launches.front();
  if (!device.head) {
    launch.fabric->order.beginLaunch(launch.device);
    device.head = std::make_unique<Schedule>(launch);
  }
  const Schedule::Step step = device.head->step();
  if (step == Schedule::Step::Done) {
    device.head = nullptr;
    device.launches.pop_front();
    spins.progressed();
  }
  return step;
}

bool SideBySide::reportIfStuck() {
  std::vector<Block *> blocks;
  std::vector<SpinDetector::Candidate> warps;
  uint64_t notBegun = 0;
  for (Device &device : devices)
    if (!device.launches.empty() && (!device.head || !device.head->addWaiting(blocks, warps, notBegun)))
      return false;
  if (blocks.empty() || !spins.areStuck(warps))
    return false;
  reportStuck(blocks.front()->launch, blocks, notBegun);
  return true;
}

} // namespace tegula::runtime::ptx
