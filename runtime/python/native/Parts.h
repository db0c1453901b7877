// Declares what the files of this extension add to the module `tegula._native`.
#pragma once

#include "runtime/python/native/Ref.h"

namespace tegula::python {

extern PyMethodDef aheadFunctions[], argumentFunctions[], currentFunctions[], errorFunctions[],
    interruptFunctions[], kernelFunctions[], launchFunctions[];

// Each adds what it is named by. False with an exception set.
bool addDeviceType(PyObject *module);
bool addFabricType(PyObject *module);
bool addFunctionType(PyObject *module);
/// Builder and Program.
bool addProgramTypes(PyObject *module);
/// Kernel and Variant.
bool addKernelTypes(PyObject *module);
/// The enumerations of C++ that Python shares, so that it writes none of their numbers, each an
/// `enum.IntEnum`, and the limits of tegula_c.h.
bool addEnums(PyObject *module);

} // namespace tegula::python
