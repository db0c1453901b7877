#include "runtime/python/native/Ahead.h"

#include "runtime/python/native/Device.h"
#include "runtime/python/native/Errors.h"
#include "runtime/python/native/Interruptible.h"

namespace tegula::python {

/// None, or the exception of `error`.
static PyObject *done(tegula_error *error) {
  if (error)
    return raise(error);
  Py_RETURN_NONE;
}

PyObject *loadBundle(PyObject *, PyObject *args) {
  const char *path = nullptr;
  if (!PyArg_ParseTuple(args, "s:load_bundle", &path))
    return nullptr;
  return done(withoutGil([&] { return tegula_load_bundle(path); }));
}

PyObject *loadKernelsOfBundles(PyObject *, PyObject *device) {
  DeviceObject *on = asDevice(device);
  if (!on)
    return nullptr;
  size_t count = 0;
  if (tegula_error *error = withoutGil([&] { return tegula_load_kernels_of_bundles(on->device, &count); }))
    return raise(error);
  return PyLong_FromSize_t(count);
}

PyObject *freeze(PyObject *, PyObject *) {
  tegula_freeze();
  Py_RETURN_NONE;
}

PyObject *thaw(PyObject *, PyObject *) {
  tegula_thaw();
  Py_RETURN_NONE;
}

PyObject *isFrozen(PyObject *, PyObject *) { return PyBool_FromLong(tegula_is_frozen()); }

PyObject *cacheCounts(PyObject *, PyObject *) {
  tegula_cache_counts counts{};
  counts.size = sizeof counts;
  tegula_get_cache_counts(&counts);
  auto number = [](uint64_t count) { return static_cast<unsigned long long>(count); };
  return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K}", "compiled", number(counts.compiled), "from_disk",
                       number(counts.from_disk), "from_bundle", number(counts.from_bundle), "tuned",
                       number(counts.tuned), "tuned_before", number(counts.tuned_before), "without_maps",
                       number(counts.without_maps));
}

PyObject *communicates(PyObject *, PyObject *args) {
  const char *ptx = nullptr;
  if (!PyArg_ParseTuple(args, "s:communicates", &ptx))
    return nullptr;
  return PyBool_FromLong(tegula_ptx_communicates(ptx));
}

PyObject *noteTuned(PyObject *, PyObject *args) {
  const char *kernel = nullptr, *config = nullptr;
  int measured = 0;
  if (!PyArg_ParseTuple(args, "ssp:note_tuned", &kernel, &config, &measured))
    return nullptr;
  return done(tegula_note_tuned(kernel, config, measured != 0));
}

PyObject *recordNote(PyObject *, PyObject *args) {
  const char *name = nullptr, *text = nullptr;
  if (!PyArg_ParseTuple(args, "ss:record_note", &name, &text))
    return nullptr;
  return done(withoutGil([&] { return tegula_record_note(name, text); }));
}

PyObject *bundleNote(PyObject *, PyObject *args) {
  const char *name = nullptr;
  if (!PyArg_ParseTuple(args, "s:bundle_note", &name))
    return nullptr;
  char *text = nullptr;
  if (tegula_error *error = tegula_bundle_note(name, &text))
    return raise(error);
  if (!text)
    Py_RETURN_NONE;
  PyObject *result = PyUnicode_FromString(text);
  tegula_text_free(text);
  return result;
}

} // namespace tegula::python
