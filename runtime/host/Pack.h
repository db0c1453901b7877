// The parameter block of a launch, filled as the manifest says, and the numbers that a launch knows by it.
#pragma once

#include "dialect/image/KernelImage.h"
#include "dialect/image/Result.h"
#include "runtime/host/ScalarBits.h"

#include <cstddef>
#include <cstring>
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

/// The parameter block of one launch, in which also the gaps between parameters are the same each time.
class PackedParams {
public:
  /// `steps` and `args` as of `pack`, for a block as large as the manifest of `image` says.
  PackedParams(const KernelImage &image, std::span<const PackStep> steps, std::span<const HostValue> args)
      : bytes(image.paramBytes) {
    std::memset(block, 0, bytes);
    pack(steps, args, {block, bytes});
  }
  std::span<const std::byte> get() const { return {block, bytes}; }

private:
  alignas(16) std::byte block[maxParamBytes]; ///< uninitialised past `bytes`: a launch is quick
  size_t bytes;
};

/// Wide enough for any factor times any parameter.
using WideNumber = __int128;

/// Returns the value of `param`, one of an image's, in the parameters `block`: of a pointer its address.
WideNumber valueOf(const KernelParam &param, std::span<const std::byte> block);
WideNumber valueOf(const LaunchNumber &number, const KernelImage &image, std::span<const std::byte> block);

} // namespace tegula::runtime
