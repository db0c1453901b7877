// The parameter block of a launch, filled as the manifest says.
#pragma once

#include "dialect/image/KernelImage.h"
#include "dialect/image/Result.h"
#include "runtime/host/ScalarBits.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tegula::runtime {

/// More run-time parameters than any kernel has: 4 KiB is the limit of the parameter block.
inline constexpr size_t maxArguments = 512;

/// Fills one parameter of the block from the arguments.
struct PackStep {
  uint32_t argument; ///< place among the arguments of the launch
  uint32_t offset, size;
  ScalarKind scalar;
  bool isPointer;
};

/// Matches the manifest's parameters to the arguments called `names`. Errors: OutOfResources for a block
/// that is too large; Driver when the manifest does not fit the arguments, which is a bug of ours.
Result<std::vector<PackStep>> planPacking(const KernelImage &image, std::span<const std::string> names);

/// Fills the parameter block, which is as large as the manifest says.
void pack(std::span<const PackStep> steps, std::span<const HostValue> args, std::span<std::byte> block);

} // namespace tegula::runtime
