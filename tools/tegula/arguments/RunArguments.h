// The arguments of `tegula run` on their way to the device and back.
#pragma once

#include "runtime/device/Device.h"
#include "tools/tegula/arguments/Arguments.h"
#include "tools/tegula/arguments/KernelChoice.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tegula::cli {

/// The elements of `array`, which is `name`'s; fills in what only a file knows. Errors: Io, InvalidArgument
/// for an offset outside a file, OutOfResources.
runtime::Result<std::vector<std::byte>> contentsOf(ArrayArgument &array, const std::string &name,
                                                   uint64_t seed);

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

  /// Returns the kernel's argument.
  HostValue argument() const;
  runtime::Result<std::vector<std::byte>> download() const;

  /// Keeps what the array holds now, on the device, and puts that back.
  runtime::Result<void> remember();
  runtime::Result<void> restore();

  ScalarKind type = ScalarKind::Float32;
  std::vector<int64_t> shape;

private:
  explicit DeviceArray(std::shared_ptr<runtime::Device> device) : device(std::move(device)) {}
  std::shared_ptr<runtime::Device> device;
  runtime::DeviceAddress address = 0, remembered = 0; ///< 0: none
  size_t bytes = 0;
  uint64_t offset = 0; ///< bytes
};

/// The arguments of launches on one device. Arrays are made when a launch first needs them.
class DeviceArguments {
public:
  /// `arguments` must outlive this; `seed` is that of random arrays.
  DeviceArguments(std::shared_ptr<runtime::Device> device,
                  const std::map<std::string, ParsedArgument> &arguments, uint64_t seed)
      : device(std::move(device)), arguments(arguments), seed(seed) {}

  /// The values of `parameters`, in order, those of parts of descriptors and tuples among them; those without
  /// an argument are left to their defaults. Errors: those of `DeviceArray::create`.
  runtime::Result<std::vector<HostValue>> valuesOf(const std::vector<ParameterInfo> &parameters);
  /// Arrays by name; only those that a launch has needed.
  const std::map<std::string, std::unique_ptr<DeviceArray>> &arrays() const { return made; }

private:
  runtime::Result<DeviceArray *> arrayOf(const ParsedArgument &argument);

  std::shared_ptr<runtime::Device> device;
  const std::map<std::string, ParsedArgument> &arguments;
  uint64_t seed;
  std::map<std::string, std::unique_ptr<DeviceArray>> made;
};

/// Returns what is known of an argument when compiling: of a descriptor its blocks, of a tuple its items.
BoundValue knownOf(const ParsedArgument &argument);

/// Lets the kernel be compiled for the descriptors and tuples among `arguments`.
void bindPassed(const std::map<std::string, ParsedArgument> &arguments, jit::JitKernel::Options &options);

/// Takes the values of `triton.heuristics` that arguments give for those of `choice`: they are not computed.
/// Errors: InvalidArgument.
runtime::Result<void> bindHeuristics(const std::map<std::string, ParsedArgument> &arguments,
                                     KernelChoice &choice);

/// Returns the `--arg` values by parameter, checked against the kernel: each names a parameter, once, that
/// has no -D value, and none that needs one is left out. The items of a tuple are there by names of their
/// own, as launches pass them, besides the tuple itself. Errors: InvalidArgument.
runtime::Result<std::map<std::string, ParsedArgument>> readArguments(const std::vector<std::string> &texts,
                                                                     const KernelChoice &choice);

} // namespace tegula::cli
