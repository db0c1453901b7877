// The programs that blocks and warps of the emulator work on.
#pragma once

#include "runtime/device/Device.h"
#include "runtime/emulator/warp/BlockState.h"

#include <array>
#include <optional>

namespace tegula::cli {

/// The programs of a launch, as the source counts them.
struct LaunchedPrograms {
  LaunchedPrograms() = default;
  LaunchedPrograms(runtime::Grid grid, const KernelImage &image)
      : grid(grid), isPersistent(image.blocksPerMultiprocessor > 0), isOrdered(image.isOrdered) {}

  runtime::Grid grid;
  bool isPersistent = false; ///< each block runs several
  bool isOrdered = false;    ///< each block runs the one of another's number
};

/// The index of a block in the grid.
std::array<uint32_t, 3> indexOf(const runtime::ptx::BlockState &block);
/// The number of the program that a warp begins with, by which programs can be told apart; nothing of
/// persistent kernels.
std::optional<runtime::Grid> numberOf(const runtime::ptx::BlockState &block, uint32_t warp,
                                      const LaunchedPrograms &programs);
/// The program of the source that a warp works on; nothing where its number does not tell that.
std::optional<runtime::Grid> programOf(const runtime::ptx::BlockState &block, uint32_t warp,
                                       const LaunchedPrograms &programs);

} // namespace tegula::cli
