// One interface for everything that can run a kernel: the CUDA driver, and the emulator.
//
// Addresses are plain 64-bit numbers of the device's own space. A device is used from any thread;
// calls on one device are serialised by the device. No LLVM and no exceptions here.
#pragma once

#include "dialect/image/KernelImage.h"
#include "dialect/image/Result.h"
#include "runtime/device/TensorMapTable.h"
#include "runtime/device/assembler/Assembler.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace tegula::runtime {

/// An address in a device's global memory.
using DeviceAddress = uint64_t;

/// Limits and names of a device, read once when it is opened.
struct DeviceProperties {
  std::string name; ///< the driver's name of the chip, "emulator" or "interpreter"
  std::string kind; ///< "cuda", "emulator" or "interpret"
  std::string arch; ///< the architecture: "sm_90" on a GPU, what to compile for on the emulator
  uint32_t computeMajor = 0, computeMinor = 0; ///< compute capability; 0.0 on the emulator
  int32_t ordinal = -1;                        ///< place of a CUDA device in the driver's order
  uint32_t multiprocessors = 0;
  uint32_t registersPerMultiprocessor = 64 * 1024; ///< of 32 bits
  uint64_t l2Bytes = 0;                            ///< 0 on the emulator, which has no caches
  uint64_t totalMemory = 0;                        ///< bytes
  /// Highest clocks of multiprocessors and of memory, and the bits of memory's bus; 0 where not known.
  uint32_t clockKilohertz = 0, memoryClockKilohertz = 0, memoryBusBits = 0;
  uint32_t warpSize = 32;
  uint32_t maxThreadsPerBlock = 1024;
  uint32_t maxSharedPerBlock = 48 * 1024; ///< bytes a kernel may opt in to
  std::array<uint32_t, 3> maxGrid{2147483647u, 65535u, 65535u};
  std::string driver; ///< version of the driver, empty on the emulator
};

/// Programs in x, y and z; below `Device::launch`, where several may share a block, blocks.
struct Grid {
  uint32_t x = 1, y = 1, z = 1;
  bool operator==(const Grid &) const = default;
};

/// Attributes of a launch on a GPU besides its grid. Other devices run programs in any order and ignore the
/// first two.
struct LaunchAttributes {
  bool cooperative = false;  ///< all blocks are resident at once, else the launch is refused
  bool programmatic = false; ///< may begin before the kernel in front of it on the stream has ended
  /// The blocks of a cluster, which share each program's work: up to `KernelImage::splits` of the kernel. To
  /// `launchInParts` they are what the caller asks for, 1 for nothing.
  uint32_t clusterBlocks = 1;
  uint32_t firstProgram = 0; ///< of such a kernel: the number along x of the first program that is launched
};

/// Returns whether a launch in clusters that was refused so may be made without them: the device has no room
/// for clusters, makes no tensor maps for them or has a driver that does not know them.
bool mayDoWithoutClusters(ErrorKind refusal);

/// A kernel loaded on a device and ready to launch; unloads itself.
class LoadedKernel {
public:
  virtual ~LoadedKernel();
  const KernelImage &image() const { return kernelImage; }
  /// Registers per thread and spilled bytes as the assembler reports them; 0 on the emulator.
  virtual uint32_t registers() const { return 0; }
  virtual uint32_t spillBytes() const { return 0; }
  /// Returns how many clusters of so many blocks the device runs at once; 0 where it does not say. A cluster
  /// lies in one part of a GPU, so that there may be fewer than blocks would have room for.
  virtual uint32_t residentClusters(uint32_t /*blocks*/) const { return 0; }
  /// The CUfunction; null on other devices.
  virtual void *nativeHandle() const { return nullptr; }
  /// The CUmodule that it lies in, with the variables of libraries; null on other devices.
  virtual void *nativeModule() const { return nullptr; }
  /// Returns the device that loaded it: a device takes only its own kernels.
  const void *owner() const { return loader; }

protected:
  explicit LoadedKernel(KernelImage image, const void *owner = nullptr);
  KernelImage kernelImage;

private:
  friend class Device;
  const void *loader;
  std::unique_ptr<TensorMapTable> maps; ///< null where the kernel takes none
};

/// An ordered queue of work on one device.
class Stream {
public:
  virtual ~Stream();
  /// Waits until all work queued so far is done; reports the first fault among it.
  virtual Result<void> synchronize() = 0;

  /// The driver's handle; null on other devices, and for the default stream.
  void *nativeHandle() const { return handle; }
  /// Returns the device that made it, which alone may use it; null for a stream of the caller's.
  const void *owner() const { return maker; }

protected:
  Stream(void *handle, const void *owner) : handle(handle), maker(owner) {}
  void *handle;

private:
  const void *maker;
};

/// A CUstream of the caller's, in the primary context of the CUDA device that it is used with; null is the
/// default stream. Other devices take it for theirs. It costs nothing to make and does not own the handle.
class ForeignStream final : public Stream {
public:
  explicit ForeignStream(void *handle) : Stream(handle, nullptr) {}
  /// Refuses: who made the stream waits for it.
  Result<void> synchronize() override;
};

/// A point in a stream's work.
class Event {
public:
  virtual ~Event();
  /// Marks the end of the work queued on `stream` so far (null: the default stream).
  virtual Result<void> record(Stream *stream) = 0;
  /// Waits for the point.
  virtual Result<void> synchronize() = 0;
  /// Milliseconds from `start` to this event; both recorded and done.
  virtual Result<float> millisecondsSince(const Event &start) = 0;
};

/// A machine that runs kernels.
class Device {
public:
  virtual ~Device();
  virtual const DeviceProperties &properties() const = 0;

  /// Memory aligned to 256 bytes or more. Zero bytes give a valid address that must not be accessed.
  virtual Result<DeviceAddress> allocate(size_t bytes) = 0;
  virtual Result<void> free(DeviceAddress address) = 0;
  virtual Result<void> copyToDevice(DeviceAddress to, const void *from, size_t bytes) = 0;
  virtual Result<void> copyToHost(void *to, DeviceAddress from, size_t bytes) = 0;
  virtual Result<void> copyOnDevice(DeviceAddress to, DeviceAddress from, size_t bytes) = 0;

  /// Lets kernels work on memory of the host where it lies: its addresses become the device's, and all of it
  /// counts as initialised. Where `isReadOnly` a kernel that writes there faults. Ranges may overlap, where
  /// what one allows is allowed, and each is unmapped once. Errors: InvalidArgument where kernels cannot
  /// reach the host's memory, or the range is not as it must be.
  virtual Result<void> mapHost(void *memory, size_t bytes, bool isReadOnly);
  virtual Result<void> unmapHost(void *memory, size_t bytes);

  virtual Result<std::unique_ptr<Stream>> createStream() = 0;
  virtual Result<std::unique_ptr<Event>> createEvent() = 0;

  /// The machine code of `image` for this device, to be kept and loaded later. Errors: as of
  /// Assembler::assemble; Unavailable on a device that runs PTX as it is.
  virtual Result<MachineCode> assemble(const KernelImage &image);

  /// Loads `image`: its machine code where there is any and the device takes it, else what it assembles now.
  /// Errors carry the driver's log.
  virtual Result<std::unique_ptr<LoadedKernel>> load(KernelImage image) = 0;

  /// Queues a launch of `kernel` over `grid` with the parameter block `params`
  /// (`image().paramBytes` bytes) on `stream` (null: the default stream). Checks grid, threads,
  /// shared memory and parameter size against the limits first and names what is exceeded.
  ///
  /// `grid` counts programs. Where `image().programsPerBlock` is P > 1, ceil(grid.x / P) blocks run; of a
  /// persistent kernel as many as are resident at once; `attributes.clusterBlocks` times as many where that
  /// is above 1. What `image().implicit` lists is filled in behind `params`. MapRefused, before anything is
  /// launched, where that is a tensor map that the device does not make for these parameters, or there are
  /// more programs than a persistent kernel counts.
  Result<void> launch(LoadedKernel &kernel, Grid grid, std::span<const std::byte> params,
                      Stream *stream = nullptr, LaunchAttributes attributes = {});

  /// Returns true if what is queued on `stream` (null: the default stream) goes into a CUDA graph instead of
  /// running.
  virtual bool isCapturing(Stream *stream);

  /// Waits for all work on the device; reports the first fault.
  virtual Result<void> synchronize() = 0;

  /// Returns the text that kernels have printed since the last call; always empty on a GPU, whose driver
  /// prints by itself.
  virtual std::string takePrintedText() { return {}; }

protected:
  /// Makes the tensor map of these numbers, for `map.element`, `map.swizzle` and the sides of the box of
  /// `map.axes`, with zeros out of bounds. Errors: MapRefused, as by a device that has none.
  virtual Result<void> encodeMap(const TensorMap &map, const TensorMapNumbers &numbers, EncodedMap &encoded);

  /// The launch proper: `grid` counts blocks and `params` has `entryParamBytes(image())` bytes.
  virtual Result<void> launchChecked(LoadedKernel &kernel, Grid grid, std::span<const std::byte> params,
                                     Stream *stream, LaunchAttributes attributes) = 0;

private:
  /// Launches `blocks` for the programs of `grid`, with what `image().implicit` lists filled in.
  Result<void> launchFilled(LoadedKernel &kernel, Grid grid, Grid blocks, std::span<const std::byte> params,
                            Stream *stream, LaunchAttributes attributes);
  /// Fills what `image.implicit` lists into the entry's parameter block.
  Result<bool> fillImplicit(LoadedKernel &kernel, Grid programs, uint32_t firstProgram,
                            std::span<std::byte> block);
};

} // namespace tegula::runtime
