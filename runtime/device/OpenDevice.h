// Opens a device by its name.
#pragma once

#include "dialect/image/Result.h"
#include "runtime/device/Device.h"

#include <functional>
#include <memory>
#include <string>

namespace tegula::runtime {

/// Makes the devices that are no GPUs.
struct DeviceMakers {
  /// An emulator; with schedules above 0 each launch runs under so many random ones.
  std::function<Result<std::shared_ptr<Device>>(uint32_t schedules)> emulator;
  std::function<Result<std::shared_ptr<Device>>()> interpreter;
};

/// Opens "auto", "cuda", "cuda:N", "emulator", "emulator:N" (N random schedules for each launch) or
/// "interpret". An empty `kind` takes TEGULA_DEVICE, and then "auto": the first CUDA device, or the emulator
/// where there is none. Errors: InvalidArgument; those of `openCudaDevice` and of `makers`.
Result<std::shared_ptr<Device>> openDevice(std::string kind, const DeviceMakers &makers);

} // namespace tegula::runtime
