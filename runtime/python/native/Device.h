// `_native.Device`: a machine that runs kernels.
#pragma once

#include "runtime/python/native/Ref.h"

#include "runtime/api/tegula_c.h"

namespace tegula::python {

struct DeviceObject {
  PyObject ob_base;
  tegula_device *device;
  bool isHost; ///< the emulator or the interpreter: works on memory of the host, and waits for each launch
};

/// Adds the type to the module.
bool addDeviceType(PyObject *module);
/// `object` as a device, or null with a TypeError set.
DeviceObject *asDevice(PyObject *object);
/// An object that closes `device`, which it owns from now on. Null with an exception set.
PyObject *wrapDevice(tegula_device *device);
/// Opens a device as `tegula_device_open` does. Null with an exception set.
PyObject *openDevice(const char *kind);

} // namespace tegula::python
