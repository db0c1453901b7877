// `_native.Device`: a machine that runs kernels.
#pragma once

#include "runtime/python/native/Object.h"

#include "runtime/api/tegula_c.h"

namespace tegula::python {

struct DeviceState {
  Handle<tegula_device, tegula_device_close> device;
  bool isHost; ///< the emulator or the interpreter: works on memory of the host, and waits for each launch
};
using DeviceObject = Object<DeviceState>;

/// `object` as a device, or null with a TypeError set.
DeviceObject *asDevice(PyObject *object);
/// An object that closes `device`, which it owns from now on. Null with an exception set.
PyObject *wrapDevice(tegula_device *device);
/// Opens a device as `tegula_device_open` does. Null with an exception set.
PyObject *openDevice(const char *kind);

} // namespace tegula::python
