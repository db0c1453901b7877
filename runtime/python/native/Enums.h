// The enumerations of C++ that Python shares, so that it writes none of their numbers.
#pragma once

#include "runtime/python/native/Ref.h"

namespace tegula::python {

/// Adds them to the module, each an `enum.IntEnum`, and the limits of tegula_c.h. False with an exception
/// set.
bool addEnums(PyObject *module);

} // namespace tegula::python
