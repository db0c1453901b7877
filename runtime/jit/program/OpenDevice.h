// Chooses and opens the device to run on.
#pragma once

#include "runtime/device/Device.h"

#include <memory>
#include <string>

namespace tegula::jit {

/// Opens the device that `kind` names: "cuda", "cuda:N", "emulator", "interpret", or "auto", which is the
/// first CUDA device, or the emulator where there is no driver or no device. An empty `kind` takes the value
/// of TEGULA_DEVICE, or "auto". Errors: InvalidArgument for another kind, and those of opening.
runtime::Result<std::shared_ptr<runtime::Device>> openDevice(std::string kind = {});

/// Writes to stdout what kernels on the emulator have printed since the last call. A GPU's driver does
/// that by itself when the host waits for the device.
void showPrintedText(runtime::Device &device);

} // namespace tegula::jit
