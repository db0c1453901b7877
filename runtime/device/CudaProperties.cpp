// What a CUDA device is: names, limits, architecture.
#include "runtime/device/CudaDevice.h"
#include "runtime/device/CudaObjects.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::runtime {

using namespace cuda;

std::string cudaArch(int major, int minor) {
  struct Known {
    int capability;
    const char *arch;
    bool upward; ///< its PTX runs on newer devices too; that of an `a` target does not
  };
  static constexpr Known known[] = {
      {80, "sm_80", true},    {86, "sm_86", true},    {89, "sm_89", true},
      {90, "sm_90a", false}, {100, "sm_100a", false}, {120, "sm_120a", false},
  };
  const int capability = major * 10 + minor;
  // A device older than everything known keeps its own name: the compiler then says what it lacks.
  std::string best = fmt::format("sm_{}", capability);
  for (const Known &each : known)
    if (each.capability == capability || (each.upward && each.capability < capability))
      best = each.arch;
  return best;
}

Result<DeviceProperties> readProperties(const Driver &driver, CUdevice device) {
  const std::string doing = fmt::format("read the properties of CUDA device {}", device);
  DeviceProperties properties;
  char name[256] = {};
  if (CUresult code = driver.cuDeviceGetName(name, sizeof name - 1, device))
    return driver.error(code, "cuDeviceGetName", doing);
  properties.name = name;
  size_t memory = 0;
  if (CUresult code = driver.cuDeviceTotalMem_v2(&memory, device))
    return driver.error(code, "cuDeviceTotalMem_v2", doing);
  properties.totalMemory = memory;
  properties.driver = driver.version();

  uint32_t major = 0, minor = 0;
  const std::pair<DeviceAttribute, uint32_t *> wanted[] = {
      {MaxThreadsPerBlock, &properties.maxThreadsPerBlock},
      {MaxGridX, &properties.maxGrid[0]},
      {MaxGridY, &properties.maxGrid[1]},
      {MaxGridZ, &properties.maxGrid[2]},
      {WarpSize, &properties.warpSize},
      {MultiprocessorCount, &properties.multiprocessors},
      {MaxSharedPerBlockOptIn, &properties.maxSharedPerBlock},
      {CapabilityMajor, &major},
      {CapabilityMinor, &minor},
  };
  for (auto [attribute, place] : wanted) {
    int value = 0;
    if (CUresult code = driver.cuDeviceGetAttribute(&value, attribute, device))
      return driver.error(code, "cuDeviceGetAttribute", doing);
    *place = uint32_t(std::max(value, 0));
  }
  properties.arch = cudaArch(int(major), int(minor));
  return properties;
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
  Result<std::shared_ptr<const Driver>> driver = Driver::open(library);
  if (!driver)
    return driver.error();
  Result<int> count = countDevices(**driver);
  if (!count)
    return count.error();
  std::vector<DeviceProperties> all;
  for (int ordinal = 0; ordinal < *count; ++ordinal) {
    CUdevice device = 0;
    if (CUresult code = (*driver)->cuDeviceGet(&device, ordinal))
      return (*driver)->error(code, "cuDeviceGet", fmt::format("open CUDA device {}", ordinal));
    Result<DeviceProperties> properties = readProperties(**driver, device);
    if (!properties)
      return properties.error();
    all.push_back(std::move(*properties));
  }
  return all;
}

} // namespace tegula::runtime
