// The arguments of `tegula run` on their way to the device and back.
#pragma once

#include "runtime/device/Device.h"
#include "tools/tegula/Arguments.h"
#include "tools/tegula/KernelChoice.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tegula::cli {

/// An array argument on the device, freed with the object.
class DeviceArray {
public:
  /// Makes or reads the elements and copies them to `device`; those of `empty` are left as they are.
  /// Errors: Io, InvalidArgument for an offset outside a file, and the device's.
  static runtime::Result<std::unique_ptr<DeviceArray>> create(std::shared_ptr<runtime::Device> device,
                                                              const std::string &name, ArrayArgument argument,
                                                              uint64_t seed);
  ~DeviceArray();
  DeviceArray(const DeviceArray &) = delete;

  /// What the kernel is given.
  jit::HostValue argument() const;
  runtime::Result<std::vector<std::byte>> download() const;

  ScalarKind type = ScalarKind::Float32;
  std::vector<int64_t> shape;

private:
  explicit DeviceArray(std::shared_ptr<runtime::Device> device) : device(std::move(device)) {}
  std::shared_ptr<runtime::Device> device;
  runtime::DeviceAddress address = 0;
  size_t bytes = 0;
  uint64_t offset = 0; ///< bytes
};

/// The `--arg` values by parameter, checked against the kernel: each names a parameter, once, that has
/// no -D value, and none that needs one is left out. Errors: InvalidArgument.
runtime::Result<std::map<std::string, ParsedArgument>> readArguments(const std::vector<std::string> &texts,
                                                                     const KernelChoice &choice);

} // namespace tegula::cli
