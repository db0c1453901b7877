// Several emulated devices with one address space, whose kernels run together and signal to each other.
#pragma once

#include "runtime/emulator/EmulatorDevice.h"

#include <functional>
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

/// Launches on its devices are queued. A copy from or to any device, `Device::synchronize`,
/// `Stream::synchronize` or `synchronize` runs them: those of one device in order, those of different devices
/// side by side. So that call returns their faults (`ErrorKind::Fault`). Besides what a lone emulator checks,
/// accesses of symmetric arrays by two devices must be ordered by signals of scope `sys`, and pads must be
/// zero in the end.
///
/// `run` has the host programs of all ranks run as well, each as if it were alone with its device: there such
/// a call waits for what the own rank has launched, and orders nothing between devices.
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
  /// Lets all ranks touch the `bytes` bytes of the host at `memory`, which lie there for kernels, too, and
  /// are rank `rank`'s part of array number `number`, with `isPad` of a pad; until `run` ends. What a host
  /// changes in it is checked against kernels of other ranks. Errors: InvalidArgument where there are none,
  /// or ranks share them already.
  Result<void> share(uint32_t rank, uint32_t number, void *memory, size_t bytes, bool isPad);
  /// Runs what is queued. Errors: Fault, Interrupted.
  Result<void> synchronize();
  /// Calls `host` for every rank, on threads of its own of which one runs at a time, and runs what they
  /// launch. `seed` picks the turns. Errors: the first of a launch or a host, after which all others get
  /// errors; with `checksPads` Fault where a word of a pad is not zero in the end. `culprit` gets the rank
  /// that the error is about.
  Result<void> run(uint64_t seed, bool checksPads, std::function<Result<void>(uint32_t rank)> host,
                   uint32_t *culprit = nullptr);
  /// In `host`: waits until all ranks call this. With `orders` what follows on any device comes after all
  /// before. Errors: Fault.
  Result<void> meet(bool orders);

private:
  Fabric() = default;
  Result<SymmetricArray> allocate(size_t bytes, bool isPad);

  std::shared_ptr<FabricQueue> queue;
  std::vector<std::unique_ptr<EmulatorDevice>> devices;
  uint32_t arrays = 0; ///< made so far
};

} // namespace tegula::runtime
