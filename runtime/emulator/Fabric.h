// Several emulated devices with one address space, whose kernels run together and signal to each other.
#pragma once

#include "runtime/emulator/EmulatorDevice.h"

#include <memory>
#include <vector>

namespace tegula::runtime {

class FabricQueue;

struct FabricOptions {
  uint32_t world = 2; ///< devices, 1 to `Fabric::maxWorld`
  /// Options of each device. A seed picks which device, block and warp runs as well; `schedules` are of all
  /// launches that run together.
  EmulatorOptions device;
  uint64_t residentBlocks = 0; ///< that a device runs at once at most; 0: as many as fit
};

/// An array that every rank has one of, at addresses that all of them may touch.
struct SymmetricArray {
  std::vector<DeviceAddress> addresses;     ///< by rank
  std::vector<DeviceAddress> addressTables; ///< by rank: `addresses` in that rank's memory, 64 bits each
};

/// Launches on its devices are queued. A copy from or to any device, `Device::synchronize` or `synchronize`
/// runs them: those of one device in order, those of different devices side by side. So that call returns
/// their faults (`ErrorKind::Fault`). Besides what a lone emulator checks, accesses of symmetric arrays by
/// two devices must be ordered by signals of scope `sys`, and pads must be zero in the end.
class Fabric {
public:
  static constexpr uint32_t maxWorld = 64;
  /// 32-bit words of a signal pad, as many as PyTorch makes them.
  static constexpr size_t padWords = 2304;

  /// Errors: InvalidArgument for a world that is too large or empty.
  static Result<Fabric> create(FabricOptions options = {});
  ~Fabric();
  Fabric(Fabric &&);
  Fabric &operator=(Fabric &&) = delete;

  uint32_t world() const { return uint32_t(devices.size()); }
  /// `rank` is less than `world()`.
  EmulatorDevice &device(uint32_t rank) { return *devices[rank]; }

  /// Allocates `bytes` bytes, which nothing has written yet, on every rank. Errors: OutOfResources.
  Result<SymmetricArray> symmetric(size_t bytes);
  /// Allocates a pad of zeros on every rank. Errors: OutOfResources.
  Result<SymmetricArray> signalPads();
  /// Runs what is queued. Errors: Fault, Interrupted.
  Result<void> synchronize();

private:
  Fabric() = default;
  Result<SymmetricArray> allocate(size_t bytes, bool isPad);

  std::shared_ptr<FabricQueue> queue;
  std::vector<std::unique_ptr<EmulatorDevice>> devices;
  uint32_t arrays = 0; ///< made so far
};

} // namespace tegula::runtime
