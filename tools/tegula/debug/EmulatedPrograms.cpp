#include "tools/tegula/debug/EmulatedPrograms.h"

namespace tegula::cli {

using runtime::ptx::BlockState;
using runtime::ptx::Special;

std::array<uint32_t, 3> indexOf(const BlockState &block) {
  std::array<uint32_t, 3> index{};
  for (size_t axis = 0; axis < index.size(); ++axis)
    index[axis] = uint32_t(block.specialValue(Special(size_t(Special::CtaidX) + axis), 0, 0));
  return index;
}

std::optional<runtime::Grid> numberOf(const BlockState &block, uint32_t warp,
                                      const LaunchedPrograms &programs) {
  const runtime::ptx::LaunchContext &launch = block.launch;
  const uint32_t packed = launch.programsPerBlock, needed = (programs.grid.x + packed - 1) / packed;
  const uint32_t sharing = needed ? launch.grid.x / needed : 0; // blocks of a program
  if (!sharing || programs.isPersistent)
    return std::nullopt;
  const std::array<uint32_t, 3> index = indexOf(block);
  return runtime::Grid{index[0] / sharing * packed + (packed > 1 ? warp : 0), index[1], index[2]};
}

std::optional<runtime::Grid> programOf(const BlockState &block, uint32_t warp,
                                       const LaunchedPrograms &programs) {
  return programs.isOrdered ? std::nullopt : numberOf(block, warp, programs);
}

} // namespace tegula::cli
