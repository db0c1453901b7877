// The config of a kernel that is the fastest for a launch.
#pragma once

#include "runtime/jit/launch/Jit.h"

#include <functional>

namespace tegula::jit {

/// Measures the configs of `kernel` on `device`, each over the grid that `gridOf` gives, and returns the
/// place of the fastest: alone, or together with other ranks where `setAgreement` says so. Errors: those of
/// `tune` and `tuneByRanks`; InvalidArgument where the kernel has no configs or a grid is empty;
/// OutOfResources, with the reasons, where none of them can be used.
runtime::Result<size_t> fastestConfig(
    const JitKernel &kernel, const std::shared_ptr<runtime::Device> &device,
    std::span<const HostValue> arguments,
    const std::function<runtime::Result<runtime::Grid>(const std::shared_ptr<JitKernel> &)> &gridOf);

/// The number of configs that `triton.autotune` gives the kernel. Errors: Compile where they cannot be read.
runtime::Result<size_t> configCount(const JitKernel &kernel);

/// This kernel with the compile-time values, warps and stages of its `index`-th config; compile-time values
/// that were set before stay. Errors: Compile; InvalidArgument where there are not so many.
runtime::Result<std::shared_ptr<JitKernel>> withConfig(const JitKernel &kernel, int64_t index);

} // namespace tegula::jit
