// One launch: which of its blocks is resident and runs when.
#pragma once

#include "runtime/emulator/warp/LaunchContext.h"

namespace tegula::runtime::ptx {

/// Runs all blocks of `launch`, in an order that the seed picks. False when there was a fault or an
/// interruption.
bool runLaunch(LaunchContext &launch);

} // namespace tegula::runtime::ptx
