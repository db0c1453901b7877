// Which device to run on; what the environment says of it and of compilations.
#pragma once

#include "compiler/KernelSpec.h"
#include "runtime/device/Device.h"

#include <memory>
#include <set>
#include <string>

namespace tegula::jit {

/// Opens the device that `kind` names: "cuda", "cuda:N", "emulator", "interpret", or "auto", which is the
/// first CUDA device, or the emulator where there is no driver or no device. An empty `kind` takes the value
/// of TEGULA_DEVICE, or "auto". Errors: InvalidArgument for another kind, and those of opening.
runtime::Result<std::shared_ptr<runtime::Device>> openDevice(std::string kind = {});

/// Writes to stdout what kernels on the emulator have printed since the last call. A GPU's driver does
/// that by itself when the host waits for the device.
void showPrintedText(runtime::Device &device);

/// The architecture to compile for: TEGULA_ARCH, or the best that the device runs.
std::string targetFor(const runtime::Device &device);
/// The same without a device: TEGULA_ARCH, or what a KernelSpec has.
std::string defaultTarget();
/// What compilations do without where nobody says: the features of TEGULA_WITHOUT. Errors: InvalidArgument
/// where it is no list of such.
runtime::Result<std::set<Feature>> withoutByDefault();
/// `tritonVersion`, or where that is empty what TEGULA_TRITON_VERSION says, or what a KernelSpec has. Errors:
/// InvalidArgument where it is no version that is known.
runtime::Result<std::string> knownVersion(const std::string &tritonVersion);

} // namespace tegula::jit
