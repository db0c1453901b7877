// Classifies a Python object as an argument of a launch.
//
// Each type of objects is examined once, by `identify` in Python; from then on a table of types says where
// the address and the element type of such an object are found.
#pragma once

#include "runtime/python/native/Ref.h"

#include "runtime/api/tegula_c.h"

namespace tegula::python {

/// Forms in which objects of a type are passed; Python has it too, with the names in capitals.
enum class Form : uint8_t {
  Unsupported,
  Tensor,      ///< a torch.Tensor itself: by the descriptors that `useTensorType` was given
  DataPtr,     ///< `data_ptr()` and `dtype`
  CudaArray,   ///< `__cuda_array_interface__`
  HostArray,   ///< `__array_interface__`
  DlPack,      ///< `__dlpack__()`
  Integer,     ///< `__index__()`
  Floating,    ///< `__float__()`
  CompileTime, ///< fixed when the kernel is compiled: a dtype, another kernel
  Constexpr,   ///< compile-time, in its attribute `value`
  Truth,       ///< `__bool__()`
  Tuple,       ///< what it holds, one by one
  Descriptor,  ///< a tensor descriptor: what its `_parts()` hold
};

enum class Classified : uint8_t {
  Failed,      ///< with an exception set
  RunTime,     ///< the argument is filled
  CompileTime, ///< the value itself is part of the code
  Tuple,       ///< what it holds is to be looked at
  Descriptor,  ///< its parts are
};

/// The memory of a pointer, for the check that the device reaches it.
enum class Memory : uint8_t { Unknown, Device, Host };

/// Fills `argument` from `value`. `memory` tells where a pointer points to, as far as the object says.
Classified classify(PyObject *value, tegula_argument &argument, Memory *memory = nullptr);

/// The number on whose device a torch.Tensor lies, -1 for the host; -2 with an exception set.
long tensorDevice(PyObject *tensor);
/// Returns true if `value` is passed by the descriptors of torch.Tensor.
bool isTensor(PyObject *value);
/// Returns true if `value` is a tensor descriptor of the host.
bool isDescriptor(PyObject *value);
/// The tuple that stands for a descriptor; empty with an exception set.
Ref partsOf(PyObject *descriptor);
/// The content of a `tl.constexpr`, else the object itself.
Ref withoutConstexpr(PyObject *value);

} // namespace tegula::python
