// Launches on the emulator that an observer is told of.
#pragma once

#include "runtime/emulator/warp/Observer.h"
#include "runtime/jit/launch/Jit.h"
#include "tools/tegula/debug/LaunchInput.h"

#include <functional>
#include <memory>
#include <string>

namespace tegula::cli {

/// Opens the emulator that `device` names, "emulator" or "emulator:N", which tells `observer` of its
/// launches. Errors: InvalidArgument.
runtime::Result<std::shared_ptr<runtime::Device>> openObserved(const std::string &device,
                                                               runtime::ptx::Observer &observer);

/// A launch of a loaded kernel.
struct EmulatedLaunch {
  std::shared_ptr<runtime::LoadedKernel> kernel;
  const jit::Variant *variant = nullptr;      ///< null where an image was loaded; stays as long as `run`
  std::function<runtime::Result<void>()> run; ///< queues the launch; may be called again
};

/// Compiles and loads the kernel that `words` choose. Errors: those of the compiler and of the device;
/// InvalidArgument.
runtime::Result<EmulatedLaunch> prepareKernel(const LaunchInput &words,
                                              const std::shared_ptr<runtime::Device> &device,
                                              DeviceArguments &arguments);

/// Loads `image`, to be launched over the grid of `words`. Errors: those of the device; InvalidArgument.
runtime::Result<EmulatedLaunch> prepareImage(const KernelImage &image, const LaunchInput &words,
                                             const std::shared_ptr<runtime::Device> &device,
                                             DeviceArguments &arguments);

} // namespace tegula::cli
