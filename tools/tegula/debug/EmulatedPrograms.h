// The programs that blocks and warps of the emulator work on.
#pragma once

#include "runtime/device/Device.h"
#include "runtime/emulator/warp/BlockState.h"

#include <array>
#include <optional>

namespace tegula::cli {

/// The programs of a launch, as the source counts them.
struct LaunchedPrograms {
  runtime::Grid grid;
  bool isPersistent = false; ///< each block runs several
};

/// The index of a block in the grid.
std::array<uint32_t, 3> indexOf(const runtime::ptx::BlockState &block);
/// The program that a warp works on; nothing of persistent kernels.
std::optional<runtime::Grid> programOf(const runtime::ptx::BlockState &block, uint32_t warp,
                                       const LaunchedPrograms &programs);

} // namespace tegula::cli
