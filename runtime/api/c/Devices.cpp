// Devices: opening, properties, memory, what kernels print; and the library's version.
#include "runtime/api/c/Guard.h"
#include "runtime/api/c/RuntimeHandles.h"

#include "runtime/device/Interruption.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

using namespace tegula;
using namespace tegula::c;
using runtime::Result;

const char *tegula_version(void) { return TEGULA_VERSION; }

tegula_error *tegula_device_open(const char *kind, tegula_device **device) {
  return guarded({{device, "device"}}, [&]() -> Result<void> {
    tegula_device opened = TRY(openDevice(kind ? kind : ""));
    *device = new tegula_device(std::move(opened));
    return {};
  });
}

tegula_error *tegula_set_interrupt_check(bool (*check)(void *context), void *context) {
  return guarded({}, [&]() -> Result<void> {
    runtime::setInterruptCheck(check, context);
    return {};
  });
}

void tegula_device_close(tegula_device *device) { delete device; }

void tegula_device_get_properties(const tegula_device *device, tegula_device_properties *properties) {
  if (!device || !properties)
    return;
  const runtime::DeviceProperties &of = device->device->properties();
  tegula_device_properties filled{};
  filled.name = of.name.c_str();
  filled.kind = of.kind.c_str();
  filled.arch = device->arch.c_str();
  filled.driver = of.driver.c_str();
  filled.ordinal = of.ordinal;
  filled.compute_major = of.computeMajor;
  filled.compute_minor = of.computeMinor;
  filled.multiprocessors = of.multiprocessors;
  filled.warp_size = of.warpSize;
  filled.max_threads_per_block = of.maxThreadsPerBlock;
  filled.max_shared_per_block = of.maxSharedPerBlock;
  filled.registers_per_multiprocessor = of.registersPerMultiprocessor;
  std::copy(of.maxGrid.begin(), of.maxGrid.end(), filled.max_grid);
  filled.total_memory = of.totalMemory;
  filled.l2_bytes = of.l2Bytes;
  fill(*properties, filled);
}

tegula_error *tegula_device_allocate(tegula_device *device, size_t bytes, uint64_t *address) {
  return guarded({{device, "device"}, {address, "address"}}, [&]() -> Result<void> {
    *address = TRY(device->device->allocate(bytes));
    return {};
  });
}

tegula_error *tegula_device_free(tegula_device *device, uint64_t address) {
  return guarded({{device, "device"}},
                 [&] { return address ? device->device->free(address) : Result<void>(); });
}

tegula_error *tegula_device_upload(tegula_device *device, uint64_t to, const void *from, size_t bytes) {
  return guarded({{device, "device"}}, [&]() -> Result<void> {
    if (bytes == 0)
      return {};
    TRY(require({{from, "from"}}));
    return device->device->copyToDevice(to, from, bytes);
  });
}

tegula_error *tegula_device_download(tegula_device *device, void *to, uint64_t from, size_t bytes) {
  return guarded({{device, "device"}}, [&]() -> Result<void> {
    if (bytes == 0)
      return {};
    TRY(require({{to, "to"}}));
    return device->device->copyToHost(to, from, bytes);
  });
}

static tegula_error *mapHost(tegula_device *device, void *memory, size_t bytes, bool isReadOnly) {
  return guarded({{device, "device"}, {memory, "memory"}},
                 [&] { return device->device->mapHost(memory, bytes, isReadOnly); });
}

tegula_error *tegula_device_map_host(tegula_device *device, void *memory, size_t bytes) {
  return mapHost(device, memory, bytes, /*isReadOnly=*/false);
}

tegula_error *tegula_device_map_host_to_read(tegula_device *device, const void *memory, size_t bytes) {
  return mapHost(device, const_cast<void *>(memory), bytes, /*isReadOnly=*/true);
}

tegula_error *tegula_device_unmap_host(tegula_device *device, void *memory, size_t bytes) {
  return guarded({{device, "device"}, {memory, "memory"}},
                 [&] { return device->device->unmapHost(memory, bytes); });
}

tegula_error *tegula_device_synchronize(tegula_device *device) {
  return guarded({{device, "device"}}, [&] { return device->device->synchronize(); });
}

char *tegula_device_take_printed(tegula_device *device) {
  try {
    return copyOf(device ? device->device->takePrintedText() : std::string());
  } catch (...) {
    return nullptr;
  }
}

char *tegula::c::copyOf(const std::string &text) {
  char *copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (!copy)
    throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

void tegula_text_free(char *text) { std::free(text); }
