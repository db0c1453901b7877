// Defaults of compilations that the environment sets.
#pragma once

#include "compiler/spec/KernelSpec.h"
#include "runtime/device/Device.h"

#include <set>
#include <string>

namespace tegula::jit {

/// The architecture to compile for: TEGULA_ARCH, or the best that the device runs.
std::string targetFor(const runtime::Device &device);
/// The same without a device: TEGULA_ARCH, or what a KernelSpec has.
std::string defaultTarget();
/// Returns the features that compilations do without by default: those of TEGULA_WITHOUT. Errors:
/// InvalidArgument where it is no list of features.
runtime::Result<std::set<Feature>> withoutByDefault();
/// `tritonVersion`, or where that is empty what TEGULA_TRITON_VERSION says, or what a KernelSpec has. Errors:
/// InvalidArgument where it is no version that is known.
runtime::Result<std::string> knownVersion(const std::string &tritonVersion);

} // namespace tegula::jit
