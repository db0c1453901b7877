// A device that runs PTX on the CPU, checking every access and counting what it costs.
#pragma once

#include "compiler/spec/DefaultTarget.h"
#include "runtime/device/Device.h"
#include "runtime/device/Progress.h"
#include "runtime/emulator/EmulatorReport.h"
#include "runtime/emulator/Hardware.h"
#include "runtime/emulator/Profile.h"

#include <memory>

namespace tegula::runtime {

class FabricQueue;
namespace ptx {
class Observer;
}

struct EmulatorOptions {
  /// Picks the order of blocks, how many are resident, and the interleaving of blocks and warps, which may
  /// change hands after any instruction. Equal seeds give equal runs; 0 keeps blocks in their natural order,
  /// each running until it ends or waits.
  uint64_t seed = 0;
  /// Runs each launch this many times, under `seed`, `seed` + 1, ..., each from the same memory; the first
  /// fault is the launch's and names its seed. Results are those of the last run, report and printed text of
  /// the first.
  uint32_t schedules = 1;
  /// Warp instructions a launch may execute before it counts as endless.
  uint64_t instructionLimit = uint64_t(1) << 32;
  /// Uninitialised registers, shared and global memory are errors.
  bool checkUninitialised = true;
  /// Unordered accesses to shared memory are errors.
  bool checkRaces = true;
  /// Unordered accesses of a block to global memory are errors, and stores of different values by two blocks.
  bool checkGlobalRaces = true;
  /// So are loads of what another block stores, with `checkGlobalRaces`, unless it stores what is there already.
  /// Not on a fabric.
  bool checkLoadsBetweenBlocks = false;
  /// Each holds as many blocks at once as fit by warps and shared memory. Blocks beyond those begin when
  /// others end, so that a block may wait for another only if both are resident. Of a persistent kernel fewer
  /// blocks walk the programs, under each schedule another number, so that small launches walk as well.
  uint32_t multiprocessors = ptx::multiprocessorsOfH100;
  std::string arch{DefaultTarget};      ///< what kernels should be compiled for
  uint64_t memory = uint64_t(16) << 30; ///< bytes that may be allocated
  /// Keeps what each instruction costs, with which lanes its accesses came to which addresses, and what the
  /// first block does: see `EmulatorDevice::profile`. Counts by line stay as they are.
  bool profile = false;
  /// Told of each instruction, where it is not null; has to outlive the device. Not on a fabric.
  ptx::Observer *observer = nullptr;
};

/// Launches run to their end before `launch` returns, so that a fault comes back from the launch
/// that caused it, as an `ErrorKind::Fault`; the device is usable afterwards. All blocks run on one core of
/// the host; several are resident at a time where they wait for each other or `seed` asks for it.
class EmulatorDevice final : public Device {
public:
  explicit EmulatorDevice(EmulatorOptions options = {});
  ~EmulatorDevice() override;

  const DeviceProperties &properties() const override;
  Result<DeviceAddress> allocate(size_t bytes) override;
  Result<void> free(DeviceAddress address) override;
  Result<void> copyToDevice(DeviceAddress to, const void *from, size_t bytes) override;
  Result<void> copyToHost(void *to, DeviceAddress from, size_t bytes) override;
  Result<void> copyOnDevice(DeviceAddress to, DeviceAddress from, size_t bytes) override;
  Result<void> mapHost(void *memory, size_t bytes, bool isReadOnly) override;
  Result<void> unmapHost(void *memory, size_t bytes) override;
  Result<std::unique_ptr<Stream>> createStream() override;
  Result<std::unique_ptr<Event>> createEvent() override;
  Result<std::unique_ptr<LoadedKernel>> load(KernelImage image) override;
  Result<void> synchronize() override;

  /// Counts of everything executed since the last `resetReport`.
  EmulatorReport report() const;
  void resetReport();
  /// Counts of each instruction of the kernel that was launched last, since it was loaded or `resetReport`;
  /// empty without `EmulatorOptions::profile`, and of a fabric.
  KernelProfile profile() const;
  /// From now on launches tell `callback`, up to ten times a second, how far they have come. It must not call
  /// the device.
  void setProgress(ProgressCallback callback);
  std::string takePrintedText() override;

protected:
  Result<void> encodeMap(const TensorMap &map, const TensorMapNumbers &numbers, EncodedMap &encoded) override;
  Result<void> launchChecked(LoadedKernel &kernel, Grid grid, std::span<const std::byte> params,
                             Stream *stream, LaunchAttributes attributes) override;

private:
  friend class Fabric;
  /// Device number `rank` of a fabric.
  EmulatorDevice(EmulatorOptions options, std::shared_ptr<FabricQueue> fabric, uint32_t rank);
  /// Runs what is queued on the fabric that the device is of. Errors: Fault, Interrupted.
  Result<void> settle();
  /// Queues a launch that has been checked. Errors: Unavailable for clusters.
  Result<void> queueOnFabric(LoadedKernel &kernel, Grid grid, std::span<const std::byte> params,
                             uint32_t clusterBlocks);

  struct State;
  std::shared_ptr<State> state; ///< shared with loaded kernels, which may outlive the device
};

/// Options of an emulator on which every launch runs under so many random schedules, each of which also looks for
/// loads of what another block stores unless TEGULA_UNORDERED_LOADS is 1; 0 gives the natural order.
EmulatorOptions optionsFor(uint32_t schedules);

} // namespace tegula::runtime
