// The classes behind openCudaDevice; only the files of the CUDA device include this.
#pragma once

#include "dialect/tile/LoopSharing.h"
#include "runtime/device/CudaDriver.h"
#include "runtime/device/Device.h"
#include "runtime/device/assembler/Assembler.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::runtime {

/// A retained primary context of a device and what errors need to know. Streams, events and kernels share it,
/// so that it outlives them all.
class CudaContext {
public:
  CudaContext(std::shared_ptr<const cuda::Driver> driver, DeviceProperties properties,
              cuda::CUcontext context)
      : properties(std::move(properties)), driver(std::move(driver)), context(context) {}
  ~CudaContext() { driver->cuDevicePrimaryCtxRelease_v2(properties.ordinal); }
  CudaContext(const CudaContext &) = delete;

  const DeviceProperties properties; ///< of the device

  const cuda::Driver &api() const { return *driver; }
  cuda::CUcontext handle() const { return context; }

  /// An error of `call`. A fault is laid at the door of the kernel launched last: the driver reports
  /// it at some later call that has nothing to do with it.
  Error error(cuda::CUresult code, const char *call, const std::string &doing) const;
  /// `name` where it stays for as long as the context: kernels may be gone when a fault of theirs is noticed.
  const std::string &keepName(const std::string &name);
  /// `kernel` comes from `keepName`.
  void noteLaunch(const std::string &kernel) { lastKernel.store(&kernel, std::memory_order_release); }

private:
  std::shared_ptr<const cuda::Driver> driver;
  cuda::CUcontext context;
  std::mutex mutex;            ///< guards `names`; the driver itself is thread safe
  std::set<std::string> names; ///< of all kernels that were ever loaded
  std::atomic<const std::string *> lastKernel = nullptr;
};

/// Makes a context current in this thread for one call of ours, and puts back what was there: the
/// thread may belong to PyTorch.
class CurrentContext {
public:
  explicit CurrentContext(const CudaContext &context);
  ~CurrentContext();
  CurrentContext(const CurrentContext &) = delete;

  /// Why the context could not be made current; Success otherwise.
  cuda::CUresult code = cuda::Success;

private:
  const CudaContext &context;
  cuda::CUcontext previous = nullptr;
  bool changed = false;
};

class CudaKernel final : public LoadedKernel {
public:
  CudaKernel(KernelImage image, std::shared_ptr<CudaContext> context, cuda::CUmodule module)
      : LoadedKernel(std::move(image), context.get()), context(std::move(context)), module(module),
        name(this->context->keepName(nameOf(kernelImage))) {}
  ~CudaKernel() override;
  uint32_t registers() const override { return registerCount; }
  uint32_t spillBytes() const override { return localBytes; }
  /// Asks the driver once for each size.
  uint32_t residentClusters(uint32_t blocks) const override;
  void *nativeHandle() const override { return function; }
  void *nativeModule() const override { return module; }

  /// Looks the entry up, reads its attributes, and opts in to the shared memory it asks for.
  Result<void> prepare();

  std::shared_ptr<CudaContext> context;
  cuda::CUmodule module = nullptr;
  cuda::CUfunction function = nullptr;
  const std::string &name; ///< for messages, also when this is gone

private:
  uint32_t registerCount = 0;
  uint32_t localBytes = 0;
  unsigned blockThreads = 0;
  /// By the blocks of a cluster, one more than run at once; 0 where the driver was not asked.
  mutable std::array<std::atomic<uint32_t>, tile::MaxSharingBlocks + 1> clusters = {};
};

/// Errors as of openCudaDevice.
Result<std::shared_ptr<CudaContext>> openContext(int ordinal, const std::string &library);

/// The two logs that the driver's assembler writes, and the options that ask for them.
class DriverLogs {
public:
  DriverLogs();
  std::vector<int> options;
  std::vector<void *> values;
  void add(cuda::JitOption option, size_t value);

  std::string_view info() const { return textOf(*infoLog); }
  std::string_view errors() const { return textOf(*errorLog); }

private:
  /// Room for one log of the driver; longer ones it cuts itself.
  static constexpr size_t logBytes = 16384;
  using Log = std::array<char, logBytes>;
  /// Without what ends it.
  static std::string_view textOf(const Log &log);
  std::unique_ptr<Log> infoLog, errorLog;
};

/// Assembles in a context, for its device. Errors as of Assembler::assemble.
Result<MachineCode> assembleInContext(const CudaContext &context, std::string_view ptx,
                                      const AssembleOptions &options);

/// Returns true if machine code for `target` ("sm_90a") runs on the device: that of another architecture does
/// not.
bool runsCodeOf(const DeviceProperties &device, std::string_view target);

/// Makes a tensor map by the driver. Errors: MapRefused, with what the driver says, or where it is too old.
Result<void> encodeCudaMap(const CudaContext &context, const TensorMap &map, const TensorMapNumbers &numbers,
                           EncodedMap &encoded);

/// Loads the machine code where the image has any that the driver takes; else assembles and loads, with the
/// driver's logs in the error. The kernel's image holds the machine code that runs, as far as the driver
/// hands it out.
Result<std::unique_ptr<LoadedKernel>> loadCudaKernel(KernelImage image, std::shared_ptr<CudaContext> context);

} // namespace tegula::runtime
