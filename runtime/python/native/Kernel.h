// `_native.Kernel`: a kernel with its compile-time values, and `_native.Variant`: one that is compiled and
// loaded.
#pragma once

#include "runtime/python/native/Device.h"

#include <vector>

namespace tegula::python {

struct KernelObject {
  PyObject ob_base;
  tegula_kernel *kernel;
  PyObject *program;
  /// The variants launched so far, each with the `CompiledKernel` that stands for it in Python; few, so that
  /// a walk finds one sooner than a hash.
  struct Loaded {
    const void *variant; ///< the address that stands for it
    PyObject *compiled;
  };
  std::vector<Loaded> *loaded;
};

struct VariantObject {
  PyObject ob_base;
  tegula_variant *variant;
  PyObject *kernel; ///< whose program's functions of the host a late stage may call; null without
};

/// Adds both types to the module.
bool addKernelTypes(PyObject *module);

/// A kernel of `program`, which it keeps. Takes `kernel` over, also where it fails.
PyObject *makeKernel(tegula_kernel *kernel, PyObject *program);
/// `object` as a kernel, or null with a TypeError set.
KernelObject *asKernel(PyObject *object);
/// Compiles and loads what a launch with these arguments uses: a `Variant`, or null with an exception set.
/// Its code calls the kernel `entry`, null for the name in the source.
PyObject *prepareVariant(KernelObject *kernel, DeviceObject *device, const tegula_argument *arguments,
                         size_t count, const char *entry);

/// load(device, ptx, code): a `Variant` from its PTX and, unless that is None, its machine code.
PyObject *loadVariant(PyObject *module, PyObject *args);

} // namespace tegula::python
