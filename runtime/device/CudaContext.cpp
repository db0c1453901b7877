// A device's properties, and its primary context: retained, made current for one call, and what its errors
// say.
#include "runtime/device/CudaDevice.h"
#include "runtime/device/CudaObjects.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::runtime {

using namespace cuda;

Error CudaContext::error(CUresult code, const char *call, const std::string &doing) const {
  if (!isFault(code))
    return driver->error(code, call, doing);
  const std::string *last = lastKernel.load(std::memory_order_acquire);
  return {ErrorKind::Fault,
          fmt::format("kernel `{}` faulted: `{}` reported {}\nthe CUDA context is lost for this process; "
                      "the emulator names the source line",
                      last ? *last : "", call, driver->describe(code))};
}

const std::string &CudaContext::keepName(const std::string &name) {
  std::lock_guard lock(mutex);
  return *names.insert(name).first;
}

CurrentContext::CurrentContext(const CudaContext &context) : context(context) {
  const Driver &api = context.api();
  code = api.cuCtxGetCurrent(&previous);
  if (code != Success || previous == context.handle())
    return;
  code = api.cuCtxSetCurrent(context.handle());
  changed = code == Success;
}

CurrentContext::~CurrentContext() {
  if (changed)
    context.api().cuCtxSetCurrent(previous);
}

/// The properties of a device by its place in the driver's order.
static Result<DeviceProperties> readProperties(const Driver &driver, int ordinal) {
  CUdevice device = 0;
  if (CUresult code = driver.cuDeviceGet(&device, ordinal))
    return driver.error(code, "cuDeviceGet", fmt::format("open CUDA device {}", ordinal));
  const std::string doing = fmt::format("read the properties of CUDA device {}", device);
  DeviceProperties properties;
  properties.kind = "cuda";
  properties.ordinal = device;
  char name[256] = {};
  if (CUresult code = driver.cuDeviceGetName(name, sizeof name - 1, device))
    return driver.error(code, "cuDeviceGetName", doing);
  properties.name = name;
  size_t memory = 0;
  if (CUresult code = driver.cuDeviceTotalMem_v2(&memory, device))
    return driver.error(code, "cuDeviceTotalMem_v2", doing);
  properties.totalMemory = memory;
  properties.driver = driver.version();

  uint32_t l2Bytes = 0;
  const std::pair<DeviceAttribute, uint32_t *> wanted[] = {
      {MaxThreadsPerBlock, &properties.maxThreadsPerBlock},
      {MaxGridX, &properties.maxGrid[0]},
      {MaxGridY, &properties.maxGrid[1]},
      {MaxGridZ, &properties.maxGrid[2]},
      {WarpSize, &properties.warpSize},
      {MultiprocessorCount, &properties.multiprocessors},
      {MaxSharedPerBlockOptIn, &properties.maxSharedPerBlock},
      {RegistersPerMultiprocessor, &properties.registersPerMultiprocessor},
      {ClockKilohertz, &properties.clockKilohertz},
      {MemoryClockKilohertz, &properties.memoryClockKilohertz},
      {MemoryBusBits, &properties.memoryBusBits},
      {L2CacheBytes, &l2Bytes},
      {CapabilityMajor, &properties.computeMajor},
      {CapabilityMinor, &properties.computeMinor},
  };
  for (auto [attribute, place] : wanted) {
    int value = 0;
    if (CUresult code = driver.cuDeviceGetAttribute(&value, attribute, device))
      return driver.error(code, "cuDeviceGetAttribute", doing);
    *place = uint32_t(std::max(value, 0));
  }
  properties.l2Bytes = l2Bytes;
  properties.arch = fmt::format("sm_{}{}", properties.computeMajor, properties.computeMinor);
  return properties;
}

/// The number of devices; Unavailable when there is none.
static Result<int> countDevices(const Driver &driver) {
  int count = 0;
  if (CUresult code = driver.cuDeviceGetCount(&count))
    return driver.error(code, "cuDeviceGetCount", "count the CUDA devices");
  if (count <= 0)
    return Error{ErrorKind::Unavailable, "the CUDA driver finds no device"};
  return count;
}

Result<std::vector<DeviceProperties>> listCudaDevices(const std::string &library) {
  std::shared_ptr<const Driver> driver = TRY(Driver::open(library));
  int count = TRY(countDevices(*driver));
  std::vector<DeviceProperties> all;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    DeviceProperties properties = TRY(readProperties(*driver, ordinal));
    all.push_back(std::move(properties));
  }
  return all;
}

Result<std::shared_ptr<CudaContext>> openContext(int ordinal, const std::string &library) {
  std::shared_ptr<const Driver> driver = TRY(Driver::open(library));
  int count = TRY(countDevices(*driver));
  if (ordinal < 0 || ordinal >= count)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("expected a CUDA device from 0 to {}, found {}", count - 1, ordinal)};
  DeviceProperties properties = TRY(readProperties(*driver, ordinal));
  CUcontext handle = nullptr;
  if (CUresult code = driver->cuDevicePrimaryCtxRetain(&handle, properties.ordinal))
    return driver->error(code, "cuDevicePrimaryCtxRetain", fmt::format("open CUDA device {}", ordinal));
  return std::make_shared<CudaContext>(std::move(driver), std::move(properties), handle);
}

} // namespace tegula::runtime
