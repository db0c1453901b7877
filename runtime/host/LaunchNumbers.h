// Numbers that a launch knows, evaluated for its parameters.
#pragma once

#include "dialect/image/KernelImage.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tegula::runtime {

/// Wide enough for any factor times any parameter.
using WideNumber = __int128;

/// Returns the value of `param`, one of an image's, in the parameters `block`: of a pointer its address.
WideNumber valueOf(const KernelParam &param, std::span<const std::byte> block);
WideNumber valueOf(const LaunchNumber &number, const KernelImage &image, std::span<const std::byte> block);

} // namespace tegula::runtime
