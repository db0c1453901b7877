// Arrays that are handed over by DLPack.
#pragma once

#include "runtime/python/native/Ref.h"

#include "runtime/api/tegula_c.h"

namespace tegula::python {

/// Fills a pointer argument from `value.__dlpack__()`. The object itself keeps the memory alive. False with
/// an exception set.
bool readDlPack(PyObject *value, tegula_argument &argument, bool &onHost);

} // namespace tegula::python
