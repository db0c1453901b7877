// The configs of a kernel's `triton.autotune`, and which of them an earlier run of `tegula tune` chose.
#pragma once

#include "runtime/jit/tune/TunedChoice.h"
#include "tools/tegula/arguments/KernelChoice.h"
#include "tools/tegula/arguments/RunArguments.h"

#include <memory>
#include <vector>

namespace tegula::cli {

/// The chosen kernel's configs under what -D and the counts say, without their grids. Errors: Compile where
/// they cannot be read; InvalidArgument where there are none.
runtime::Result<std::vector<jit::TuneConfig>> tuneConfigs(const KernelChoice &choice);

/// Returns the request to try all of the kernel's `configs` on a device. `arguments` must outlive it.
jit::TuneRequest tuneRequest(const KernelChoice &choice, std::vector<jit::TuneConfig> configs,
                             std::shared_ptr<runtime::Device> device, DeviceArguments &arguments);

/// The options of the config that was chosen for such arguments on that device. Errors: InvalidArgument where
/// no choice is kept.
runtime::Result<jit::JitKernel::Options> tunedOptions(const jit::TuneRequest &request);

} // namespace tegula::cli
