// Ways through the compiler that not every kernel takes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tegula::random {

/// A way, and what the PTX of a kernel that took it has.
struct Path {
  std::string_view name, text;
  uint64_t kernels = 0; ///< that took it
};

/// All of them, each taken by none.
std::vector<Path> allPaths();

/// Counts the ways that the kernel of `ptx` took.
void countPaths(std::string_view ptx, std::vector<Path> &paths);

} // namespace tegula::random
