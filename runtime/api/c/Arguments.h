// The arguments of a launch, from tegula_c.h's to ours.
#pragma once

#include "dialect/image/Result.h"
#include "runtime/api/tegula_c.h"
#include "runtime/jit/launch/HostValueList.h"

#include <cstddef>

namespace tegula::c {

/// Adds `count` arguments to `list`, which is empty. Errors: InvalidArgument for what is no kind of argument,
/// or too many of them.
runtime::Result<void> convertArguments(const tegula_argument *arguments, size_t count,
                                       jit::HostValueList &list);

} // namespace tegula::c
