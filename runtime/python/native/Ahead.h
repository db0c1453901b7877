// Kernels that were compiled ahead of time, freezing, and where kernels came from.
#pragma once

#include "runtime/python/native/Ref.h"

namespace tegula::python {

/// load_bundle(path), without loading its kernels on a device.
PyObject *loadBundle(PyObject *module, PyObject *args);
/// load_kernels_of_bundles(device) -> how many
PyObject *loadKernelsOfBundles(PyObject *module, PyObject *device);
/// freeze(): launches must find their kernels loaded from now on; thaw() ends it.
PyObject *freeze(PyObject *module, PyObject *);
PyObject *thaw(PyObject *module, PyObject *);
PyObject *isFrozen(PyObject *module, PyObject *);
/// cache_counts() -> dict
PyObject *cacheCounts(PyObject *module, PyObject *);
/// communicates(ptx) -> bool
PyObject *communicates(PyObject *module, PyObject *args);
/// note_tuned(kernel, config, measured)
PyObject *noteTuned(PyObject *module, PyObject *args);
/// record_note(name, text), for a bundle; bundle_note(name) -> the text or None
PyObject *recordNote(PyObject *module, PyObject *args);
PyObject *bundleNote(PyObject *module, PyObject *args);

} // namespace tegula::python
