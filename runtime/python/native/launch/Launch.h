// A launch: from the arguments of a call in Python to the device.
#pragma once

#include "runtime/python/native/launch/Binding.h"

namespace tegula::python {

/// Gives the `CompiledKernel` that was launched, or null with an exception set.
PyObject *launch(const LaunchCall &call);

} // namespace tegula::python
