// `_native.Builder`, which collects sources and what their names mean, and the `_native.Program` that it
// makes.
#pragma once

#include "runtime/python/native/Values.h"

namespace tegula::python {

struct BuilderObject {
  PyObject ob_base;
  tegula_builder *builder;
  std::vector<std::unique_ptr<HostFunction>> *functions;
};

struct ProgramObject {
  PyObject ob_base;
  tegula_program *program;
  PyObject *builder; ///< whose functions of the host the program calls
};

/// Adds both types to the module.
bool addProgramTypes(PyObject *module);

} // namespace tegula::python
