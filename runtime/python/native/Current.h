// The device and the stream that a launch goes to.
//
// Either one device that `tegula.set_device` or the environment chose, on its default stream, or what PyTorch
// calls current, asked of it at each launch.
#pragma once

#include "runtime/python/native/Device.h"
#include "runtime/python/native/Ref.h"

namespace tegula::python {

struct Current {
  DeviceObject *device = nullptr; ///< that of `owner`
  void *stream = nullptr;
  long ordinal = -1;           ///< of a CUDA device in PyTorch's order; -1 for others
  bool severalDevices = false; ///< whether an argument may lie on another one
  Ref owner;                   ///< keeps the device, whatever other threads choose meanwhile
};

/// Asks. False with an exception set.
bool currentDevice(Current &current);

/// set_resolver(function): called without arguments when nothing was chosen yet; it calls one of the two
/// below.
PyObject *setResolver(PyObject *module, PyObject *function);
/// use_device(device or None): launches go to this device; with None the resolver is asked again.
PyObject *useDevice(PyObject *module, PyObject *device);
/// use_device_here(device or None): launches of this thread go to this device, whatever others do.
PyObject *useDeviceHere(PyObject *module, PyObject *device);
/// use_torch(current_device, current_stream, count): launches go where these functions say.
PyObject *useTorch(PyObject *module, PyObject *args);
/// The `_native.Device` that a launch would go to now.
PyObject *currentDeviceObject(PyObject *module, PyObject *);
/// The CUstream of such a launch as an integer.
PyObject *currentStream(PyObject *module, PyObject *);

} // namespace tegula::python
