// The grid of a launch.
#pragma once

#include "runtime/python/native/Ref.h"

#include <cstdint>

namespace tegula::python {

/// Reads an integer, or a tuple or list of one to three. False with an exception set: ValueError for more
/// sides, for negative ones and those past 2^32 - 1, TypeError for what is no integer.
bool readGrid(PyObject *object, uint32_t (&grid)[3]);

} // namespace tegula::python
