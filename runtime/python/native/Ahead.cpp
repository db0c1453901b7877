// Kernels that were compiled ahead of time, freezing, and where kernels came from.
#include "runtime/python/native/Device.h"
#include "runtime/python/native/Errors.h"
#include "runtime/python/native/Parts.h"

namespace tegula::python {

/// Loads none of its kernels on a device.
static PyObject *loadBundle(PyObject *, PyObject *args) {
  const char *path = nullptr;
  if (!PyArg_ParseTuple(args, "s:load_bundle", &path))
    return nullptr;
  return done(withoutGil([&] { return tegula_load_bundle(path); }));
}

static PyObject *loadKernelsOfBundles(PyObject *, PyObject *device) {
  DeviceObject *on = asDevice(device);
  if (!on)
    return nullptr;
  size_t count = 0;
  if (tegula_error *error =
          withoutGil([&] { return tegula_load_kernels_of_bundles(on->state.device, &count); }))
    return raise(error);
  return PyLong_FromSize_t(count);
}

static PyObject *freeze(PyObject *, PyObject *) {
  tegula_freeze();
  Py_RETURN_NONE;
}

static PyObject *thaw(PyObject *, PyObject *) {
  tegula_thaw();
  Py_RETURN_NONE;
}

static PyObject *isFrozen(PyObject *, PyObject *) { return PyBool_FromLong(tegula_is_frozen()); }

static PyObject *cacheCounts(PyObject *, PyObject *) {
  tegula_cache_counts counts{};
  counts.size = sizeof counts;
  tegula_get_cache_counts(&counts);
  auto number = [](uint64_t count) { return static_cast<unsigned long long>(count); };
  return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K}", "compiled", number(counts.compiled), "from_disk",
                       number(counts.from_disk), "from_bundle", number(counts.from_bundle), "tuned",
                       number(counts.tuned), "tuned_before", number(counts.tuned_before), "without_maps",
                       number(counts.without_maps));
}

static PyObject *communicates(PyObject *, PyObject *args) {
  const char *ptx = nullptr;
  if (!PyArg_ParseTuple(args, "s:communicates", &ptx))
    return nullptr;
  return PyBool_FromLong(tegula_ptx_communicates(ptx));
}

static PyObject *noteTuned(PyObject *, PyObject *args) {
  const char *kernel = nullptr, *config = nullptr;
  int measured = 0;
  if (!PyArg_ParseTuple(args, "ssp:note_tuned", &kernel, &config, &measured))
    return nullptr;
  return done(tegula_note_tuned(kernel, config, measured != 0));
}

static PyObject *recordNote(PyObject *, PyObject *args) {
  const char *name = nullptr, *text = nullptr;
  if (!PyArg_ParseTuple(args, "ss:record_note", &name, &text))
    return nullptr;
  return done(withoutGil([&] { return tegula_record_note(name, text); }));
}

static PyObject *bundleNote(PyObject *, PyObject *args) {
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

PyMethodDef aheadFunctions[] = {
    {"load_bundle", loadBundle, METH_VARARGS, "load_bundle(path): compilations find their results there."},
    {"load_kernels_of_bundles", loadKernelsOfBundles, METH_O,
     "load_kernels_of_bundles(device) -> how many were loaded"},
    {"freeze", freeze, METH_NOARGS, "From now on a launch must find its kernel loaded."},
    {"thaw", thaw, METH_NOARGS, "Ends what freeze began."},
    {"is_frozen", isFrozen, METH_NOARGS, "Whether a launch must find its kernel loaded."},
    {"cache_counts", cacheCounts, METH_NOARGS, "Where kernels and choices of tuners came from, as a dict."},
    {"communicates", communicates, METH_VARARGS,
     "communicates(ptx): whether it has accesses or fences of system scope."},
    {"note_tuned", noteTuned, METH_VARARGS, "note_tuned(kernel, config, measured): counts a choice."},
    {"record_note", recordNote, METH_VARARGS,
     "record_note(name, text): for a bundle, where TEGULA_RECORD is set."},
    {"bundle_note", bundleNote, METH_VARARGS, "bundle_note(name) -> the text that a bundle has, or None"},
    {nullptr, nullptr, 0, nullptr}};

} // namespace tegula::python
