// Memory of the host that a launch on the emulator or the interpreter works on where it lies.
#pragma once

#include "runtime/python/native/Device.h"

#include <vector>

namespace tegula::python {

/// The ranges of one launch.
class HostMemory {
public:
  /// Adds the memory that `value` lies in, as the helper from Python says. False with an exception set.
  bool add(PyObject *value);

  /// Calls `launch`, which gives a `tegula_error *`, with the ranges mapped. A device of the host is done
  /// with them when this returns, as the caller will read them. Without the GIL.
  template <typename Launch> tegula_error *during(DeviceObject *device, Launch launch) {
    tegula_error *error = map(device->state.device);
    if (!error)
      error = launch();
    if (!error && device->state.isHost)
      error = tegula_device_synchronize(device->state.device);
    unmap(device->state.device);
    return error;
  }

private:
  /// Maps all of them, or says what went wrong with the first that cannot be.
  tegula_error *map(tegula_device *device);
  void unmap(tegula_device *device);

  struct Range {
    void *start;
    size_t bytes;
    bool isReadOnly;
  };
  std::vector<Range> ranges;
  size_t mapped = 0;
};

/// The function that gives the (start, bytes, read-only) of the memory that an object lies in, or None.
void setHostRange(PyObject *function);

/// Writes what kernels have printed to `sys.stdout`. False with an exception set.
bool showPrinted(tegula_device *device);

} // namespace tegula::python
