// Failures of the library as Python exceptions.
#pragma once

#include "runtime/python/native/Ref.h"

#include "runtime/api/tegula_c.h"

namespace tegula::python {

/// A diagnostic as a tuple (severity, message, file, line, column, end_column, source_line, help, notes), the
/// notes a tuple of such. Null with an exception set where memory ends.
PyObject *diagnosticTuple(const tegula_diagnostic &diagnostic);

/// Sets the exception that `error` stands for and frees it. Always gives null, so that callers return it.
PyObject *raise(tegula_error *error);

/// `make(kind, text, diagnostics, resource)` gives the exception to raise; resource is None or (name,
/// required, limit). Until it is set, failures are RuntimeErrors.
PyObject *setErrorFactory(PyObject *module, PyObject *make);

} // namespace tegula::python
