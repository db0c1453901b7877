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

} // namespace tegula::c
