// Arguments for a kernel that is compiled already: they have to be what its code relies on.
#pragma once

#include "compiler/driver/KernelInfo.h"
#include "dialect/image/KernelImage.h"
#include "dialect/image/Result.h"
#include "runtime/host/ScalarBits.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tegula::cli {

/// The kernel as a source would declare it, to check the names of arguments against.
KernelInfo describeImage(const KernelImage &image);

/// The parameter block of a launch with `values`, one for each of the image's parameters. Errors: InvalidArgument
/// where a value has another type, or is no multiple of what the code was compiled for.
runtime::Result<std::vector<std::byte>> packArguments(const KernelImage &image,
                                                      std::span<const HostValue> values);

} // namespace tegula::cli
