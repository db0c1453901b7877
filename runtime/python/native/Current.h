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

} // namespace tegula::python
