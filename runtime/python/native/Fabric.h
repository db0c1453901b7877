// `_native.Fabric`: several emulated devices, and host programs for their ranks.
#pragma once

#include "runtime/python/native/Ref.h"

namespace tegula::python {

/// Adds the type to the module.
bool addFabricType(PyObject *module);

} // namespace tegula::python
