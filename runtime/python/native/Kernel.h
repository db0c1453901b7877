// `_native.Kernel`: a kernel with its compile-time values, and `_native.Variant`: one that is compiled and
// loaded.
#pragma once

#include "runtime/python/native/Device.h"

#include <vector>

namespace tegula::python {

struct KernelState {
  /// A variant launched so far, with the `CompiledKernel` that stands for it in Python.
  struct Loaded {
    const void *variant; ///< the address that stands for it
    Ref compiled;
  };
  Ref program;
  std::vector<Loaded> loaded; ///< few, so that a walk finds one sooner than a hash
  /// Goes before the program whose functions of the host it may call.
  Handle<tegula_kernel, tegula_kernel_free> kernel;
};
using KernelObject = Object<KernelState>;

/// A kernel of `program`, which it keeps. Takes `kernel` over, also where it fails.
PyObject *makeKernel(tegula_kernel *kernel, PyObject *program);
/// `object` as a kernel, or null with a TypeError set.
KernelObject *asKernel(PyObject *object);
/// Compiles and loads what a launch with these arguments uses: a `Variant`, or null with an exception set.
/// Its code calls the kernel `entry`, null for the name in the source.
PyObject *prepareVariant(KernelObject *kernel, DeviceObject *device, const tegula_argument *arguments,
                         size_t count, const char *entry);

} // namespace tegula::python
