#include "runtime/python/native/Errors.h"

#include "runtime/python/native/Parts.h"

namespace tegula::python {

/// `factory(kind, text, diagnostics, resource)` gives the exception to raise; resource is None or (name,
/// required, limit). Until it is set, failures are RuntimeErrors.
static Kept factory;

static Ref diagnosticTuples(const tegula_diagnostic *diagnostics, size_t count) {
  return tupleOf(count, [&](size_t i) { return diagnosticTuple(diagnostics[i]); });
}

PyObject *diagnosticTuple(const tegula_diagnostic &diagnostic) {
  Ref notes = diagnosticTuples(diagnostic.notes, diagnostic.note_count);
  if (!notes)
    return nullptr;
  return Py_BuildValue("(issIIIssO)", int(diagnostic.severity), diagnostic.message, diagnostic.file,
                       diagnostic.line, diagnostic.column, diagnostic.end_column, diagnostic.source_line,
                       diagnostic.help, notes.get());
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

PyObject *done(tegula_error *error) {
  if (error)
    return raise(error);
  Py_RETURN_NONE;
}

Ref takeException() {
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  const Ref owned[] = {Ref::take(type), Ref::take(traceback)};
  return Ref::take(value);
}

PyMethodDef errorFunctions[] = {{"set_error_factory", keep<factory>, METH_O,
                                 "set_error_factory(make): make(kind, text, diagnostics, resource)."},
                                {nullptr, nullptr, 0, nullptr}};

} // namespace tegula::python
