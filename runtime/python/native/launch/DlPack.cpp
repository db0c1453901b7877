#include "runtime/python/native/launch/DlPack.h"

namespace tegula::python {

// The structures of DLPack's C interface, version 0, as far as they are read here.
namespace {
struct DlDevice {
  int32_t type;
  int32_t id;
};
struct DlType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};
struct DlTensor {
  void *data;
  DlDevice device;
  int32_t rank;
  DlType type;
  int64_t *shape;
  int64_t *strides;
  uint64_t byteOffset;
};
struct DlManagedTensor {
  DlTensor tensor;
  void *context;
  void (*deleter)(DlManagedTensor *);
};
} // namespace

enum DlCode : uint8_t {
  DlInt = 0,
  DlUInt = 1,
  DlFloat = 2,
  DlBfloat = 4,
  DlBool = 6,
  DlFp8E4M3 = 10,
  DlFp8E5M2 = 12
};
enum DlDeviceType : int32_t { DlCpu = 1, DlCuda = 2, DlCudaHost = 3, DlCudaManaged = 13 };

static int dtypeOf(DlType type) {
  if (type.lanes != 1)
    return -1;
  switch (type.code) {
  case DlInt:
    return type.bits == 8    ? TEGULA_I8
           : type.bits == 16 ? TEGULA_I16
           : type.bits == 32 ? TEGULA_I32
           : type.bits == 64 ? TEGULA_I64
                             : -1;
  case DlUInt:
    return type.bits == 8    ? TEGULA_U8
           : type.bits == 16 ? TEGULA_U16
           : type.bits == 32 ? TEGULA_U32
           : type.bits == 64 ? TEGULA_U64
                             : -1;
  case DlFloat:
    return type.bits == 16 ? TEGULA_FP16 : type.bits == 32 ? TEGULA_FP32 : type.bits == 64 ? TEGULA_FP64 : -1;
  case DlBfloat:
    return type.bits == 16 ? TEGULA_BF16 : -1;
  case DlBool:
    return TEGULA_I1;
  case DlFp8E4M3:
    return TEGULA_FP8E4NV;
  case DlFp8E5M2:
    return TEGULA_FP8E5;
  default:
    return -1;
  }
}

bool readDlPack(PyObject *value, tegula_argument &argument, bool &onHost) {
  Ref capsule = Ref::take(PyObject_CallMethod(value, "__dlpack__", nullptr));
  if (!capsule)
    return false;
  auto *managed = static_cast<DlManagedTensor *>(PyCapsule_GetPointer(capsule.get(), "dltensor"));
  if (!managed)
    return false;
  // The capsule is not consumed: it gives its hold back by itself when it goes, at the end of this function.
  const DlTensor &tensor = managed->tensor;
  const int dtype = dtypeOf(tensor.type);
  if (dtype < 0)
    return refuse(PyExc_TypeError, "elements of %R have no type in a kernel (DLPack code %d, %d bits)",
                  Py_TYPE(value), int(tensor.type.code), int(tensor.type.bits));
  if (tensor.device.type != DlCpu && tensor.device.type != DlCuda && tensor.device.type != DlCudaHost &&
      tensor.device.type != DlCudaManaged)
    return refuse(PyExc_ValueError, "%R lies on a device of another kind (DLPack device %d)", Py_TYPE(value),
                  int(tensor.device.type));
  onHost = tensor.device.type == DlCpu;
  argument.kind = TEGULA_ARG_POINTER;
  argument.type = uint8_t(dtype);
  argument.of.integer = uint64_t(reinterpret_cast<uintptr_t>(tensor.data)) + tensor.byteOffset;
  return true;
}

} // namespace tegula::python
