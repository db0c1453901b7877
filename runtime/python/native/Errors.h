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
/// None, or null with the exception of `error` set.
PyObject *done(tegula_error *error);
/// The exception that is set, which it clears.
Ref takeException();

} // namespace tegula::python
