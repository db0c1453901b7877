#include "runtime/python/native/Errors.h"

namespace tegula::python {

static Kept factory;

static Ref diagnosticTuples(const tegula_diagnostic *diagnostics, size_t count) {
  return tupleOf(count, [&](size_t i) { return diagnosticTuple(diagnostics[i]); });
}

PyObject *diagnosticTuple(const tegula_diagnostic &diagnostic) {
  Ref notes = diagnosticTuples(diagnostic.notes, diagnostic.note_count);
  if (!notes)
    return nullptr;
  return Py_BuildValue("(issIIIssO)", int(diagnostic.severity), diagnostic.message, diagnostic.file,
                       unsigned(diagnostic.line), unsigned(diagnostic.column),
                       unsigned(diagnostic.end_column), diagnostic.source_line, diagnostic.help, notes.get());
}

static Ref resourceOf(const tegula_error *error) {
  const char *name = nullptr;
  uint64_t required = 0, limit = 0;
  if (!tegula_error_resource(error, &name, &required, &limit))
    return Ref::share(Py_None);
  return Ref::take(Py_BuildValue("(sKK)", name, static_cast<unsigned long long>(required),
                                 static_cast<unsigned long long>(limit)));
}

PyObject *raise(tegula_error *error) {
  if (tegula_error_get_kind(error) == TEGULA_INTERRUPTED && PyErr_Occurred()) {
    // Keeps the exception that a signal handler has raised.
  } else if (!factory) {
    PyErr_SetString(PyExc_RuntimeError, tegula_error_text(error));
  } else {
    size_t count = 0;
    const tegula_diagnostic *list = tegula_error_diagnostics(error, &count);
    Ref diagnostics = diagnosticTuples(list, count);
    Ref resource = resourceOf(error);
    Ref exception;
    if (diagnostics && resource)
      exception =
          Ref::take(PyObject_CallFunction(factory.get(), "isOO", int(tegula_error_get_kind(error)),
                                          tegula_error_text(error), diagnostics.get(), resource.get()));
    if (exception)
      PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(exception.get())), exception.get());
  }
  tegula_error_free(error);
  return nullptr;
}

PyObject *setErrorFactory(PyObject *, PyObject *make) {
  factory.set(make);
  Py_RETURN_NONE;
}

} // namespace tegula::python
