// Reads the properties of a CUDA device: its name, limits and compute capability.
#include "runtime/device/CudaDevice.h"
#include "runtime/device/CudaObjects.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::runtime {

using namespace cuda;

Result<DeviceProperties> readProperties(const Driver &driver, CUdevice device) {
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

Result<CUdevice> findDevice(const Driver &driver, int ordinal) {
  CUdevice device = 0;
  if (CUresult code = driver.cuDeviceGet(&device, ordinal))
    return driver.error(code, "cuDeviceGet", fmt::format("open CUDA device {}", ordinal));
  return device;
}

Result<int> countDevices(const Driver &driver) {
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
    CUdevice device = TRY(findDevice(*driver, ordinal));
    DeviceProperties properties = TRY(readProperties(*driver, device));
    all.push_back(std::move(properties));
  }
  return all;
}

} // namespace tegula::runtime
