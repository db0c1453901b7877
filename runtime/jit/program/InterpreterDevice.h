// A device that runs what a kernel means, not what the compiler makes of it: the reference interpreter of the
// tile stage behind the interface of a device.
#pragma once

#include "compiler/driver/TileKernel.h"
#include "runtime/device/Device.h"
#include "runtime/device/HostRanges.h"
#include "runtime/device/Progress.h"
#include "runtime/jit/program/CompiledSource.h"

#include <memory>
#include <mutex>
#include <string>

namespace tegula::jit {

/// Launches run to their end before `launch` returns, as on the emulator. There is no PTX: kernels come from
/// `loadSource`, and `load` refuses images.
class InterpreterDevice final : public runtime::Device {
public:
  InterpreterDevice();

  const runtime::DeviceProperties &properties() const override { return deviceProperties; }
  runtime::Result<runtime::DeviceAddress> allocate(size_t bytes) override;
  runtime::Result<void> free(runtime::DeviceAddress address) override;
  runtime::Result<void> copyToDevice(runtime::DeviceAddress to, const void *from, size_t bytes) override;
  runtime::Result<void> copyToHost(void *to, runtime::DeviceAddress from, size_t bytes) override;
  runtime::Result<void> copyOnDevice(runtime::DeviceAddress to, runtime::DeviceAddress from,
                                     size_t bytes) override;
  runtime::Result<void> mapHost(void *memory, size_t bytes, bool isReadOnly) override;
  runtime::Result<void> unmapHost(void *memory, size_t bytes) override;
  runtime::Result<std::unique_ptr<runtime::Stream>> createStream() override;
  runtime::Result<std::unique_ptr<runtime::Event>> createEvent() override;
  runtime::Result<std::unique_ptr<runtime::LoadedKernel>> load(KernelImage image) override;
  runtime::Result<void> synchronize() override { return {}; }

  /// The kernel that `spec` names, ready to be launched. Its image has a manifest and no PTX; its warnings
  /// and static prints are left with `source`. `entryName` as in CompiledSource. Errors: Compile.
  runtime::Result<std::shared_ptr<runtime::LoadedKernel>>
  loadSource(CompiledSource &source, const KernelSpec &spec, const std::string &entryName = {});

  /// From now on launches tell `callback`, up to ten times a second, how far they have come. It must not call
  /// the device.
  void setProgress(runtime::ProgressCallback callback);
  std::string takePrintedText() override;

  /// Runs a launch instead of the device: gets the kernel, made with names, the grid, the bits of its
  /// parameters and the device's memory. Must not call the device. Returns a fault, if there was one.
  using Debugger =
      std::function<std::optional<std::string>(TileKernel &kernel, std::array<uint32_t, 3> grid,
                                               std::span<const uint64_t> arguments, interp::Memory &memory)>;
  /// From now on kernels are made for `debugger`, which their launches are handed to.
  void setDebugger(Debugger debugger);

protected:
  runtime::Result<void> launchChecked(runtime::LoadedKernel &kernel, runtime::Grid grid,
                                      std::span<const std::byte> params, runtime::Stream *stream,
                                      runtime::LaunchAttributes attributes) override;

private:
  runtime::DeviceProperties deviceProperties;
  std::mutex mutex; ///< guards what follows, also while a kernel runs
  interp::Memory memory;
  runtime::HostRanges mapped; ///< what of the host is in `memory`
  std::string printed;
  runtime::ProgressCallback progress;
  Debugger debugger;
};

} // namespace tegula::jit
