// The arguments of a launch as they lie in the caller's memory.
#pragma once

#include "dialect/image/Result.h"
#include "runtime/api/tegula_c.h"
#include "runtime/host/ScalarBits.h"

#include <span>

namespace tegula::c {

/// `count` arguments, which are not copied. Errors: InvalidArgument for what is no kind of argument or no
/// type.
runtime::Result<std::span<const HostValue>> argumentsOf(const tegula_argument *arguments, size_t count);

/// As in Triton, nothing is launched over an empty grid.
inline bool isEmpty(const uint32_t grid[3]) { return grid[0] == 0 || grid[1] == 0 || grid[2] == 0; }

} // namespace tegula::c
