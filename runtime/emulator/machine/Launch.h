// One launch: which of its blocks is resident and runs when.
#pragma once

#include "runtime/emulator/warp/LaunchContext.h"

namespace tegula::runtime::ptx {

/// Runs all blocks of `launch`, in an order that the seed picks. False when there was a fault or an
/// interruption.
bool runLaunch(LaunchContext &launch);

/// Runs the launches of the devices of a fabric, which share `spins`: those of a device in order, those of
/// different devices side by side, in turns that `seed` picks. False as above; the launch at fault says why.
bool runSideBySide(std::span<const std::vector<LaunchContext *>> devices, SpinDetector &spins, uint64_t seed);

} // namespace tegula::runtime::ptx
