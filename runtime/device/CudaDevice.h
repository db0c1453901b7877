// A Device on the CUDA driver.
#pragma once

#include "runtime/device/Device.h"

#include <memory>
#include <string>
#include <vector>

namespace tegula::runtime {

/// The driver's library where none is named.
inline constexpr const char *cudaDriverLibrary = "libcuda.so.1";

/// The devices that the driver offers, in its order. Errors: Unavailable when there is no driver, none
/// of its devices, or a driver too old; Driver when a call fails.
Result<std::vector<DeviceProperties>> listCudaDevices(const std::string &library = cudaDriverLibrary);

/// Opens a device by its place in `listCudaDevices`. It works in the device's primary context, the one
/// that the CUDA runtime and PyTorch use, and leaves the calling thread's current context as it was.
/// Errors as above, and InvalidArgument for an ordinal that does not exist.
Result<std::unique_ptr<Device>> openCudaDevice(int ordinal = 0,
                                               const std::string &library = cudaDriverLibrary);

} // namespace tegula::runtime
