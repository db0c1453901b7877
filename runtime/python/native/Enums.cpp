#include "runtime/python/native/FunctionState.h"
#include "runtime/python/native/Parts.h"
#include "runtime/python/native/launch/Arguments.h"

namespace tegula::python {

static bool addMembers(PyObject *) { return true; }

/// Names and values take turns.
template <typename Enum, typename... Rest>
static bool addMembers(PyObject *numbers, const char *name, Enum value, Rest... rest) {
  Ref number = Ref::take(PyLong_FromLong(long(value)));
  return number && PyDict_SetItemString(numbers, name, number.get()) == 0 && addMembers(numbers, rest...);
}

template <typename... Members> static bool addEnum(PyObject *module, const char *name, Members... members) {
  Ref enums = Ref::take(PyImport_ImportModule("enum"));
  Ref numbers = Ref::take(PyDict_New());
  if (!enums || !numbers || !addMembers(numbers.get(), members...))
    return false;
  Ref made = Ref::take(PyObject_CallMethod(enums.get(), "IntEnum", "sO", name, numbers.get()));
  return made && PyModule_AddObjectRef(module, name, made.get()) == 0;
}

bool addEnums(PyObject *module) {
  return addEnum(module, "ValueKind", "NONE", TEGULA_VALUE_NONE, "BOOL", TEGULA_VALUE_BOOL, "INT",
                 TEGULA_VALUE_INT, "UINT", TEGULA_VALUE_UINT, "FLOAT", TEGULA_VALUE_FLOAT, "STRING",
                 TEGULA_VALUE_STRING, "DTYPE", TEGULA_VALUE_DTYPE, "TUPLE", TEGULA_VALUE_TUPLE, "LIST",
                 TEGULA_VALUE_LIST, "DICT", TEGULA_VALUE_DICT, "FUNCTION", TEGULA_VALUE_FUNCTION, "LANGUAGE",
                 TEGULA_VALUE_LANGUAGE, "NAMESPACE", TEGULA_VALUE_NAMESPACE, "HOST_FUNCTION",
                 TEGULA_VALUE_HOST_FUNCTION, "UNKNOWN", TEGULA_VALUE_UNKNOWN) &&
         addEnum(module, "Dtype", "i1", TEGULA_I1, "i8", TEGULA_I8, "i16", TEGULA_I16, "i32", TEGULA_I32,
                 "i64", TEGULA_I64, "u8", TEGULA_U8, "u16", TEGULA_U16, "u32", TEGULA_U32, "u64", TEGULA_U64,
                 "fp16", TEGULA_FP16, "bf16", TEGULA_BF16, "fp32", TEGULA_FP32, "fp64", TEGULA_FP64,
                 "fp8e4nv", TEGULA_FP8E4NV, "fp8e5", TEGULA_FP8E5, "fp8e4b15", TEGULA_FP8E4B15, "fp8e4b8",
                 TEGULA_FP8E4B8, "fp8e5b16", TEGULA_FP8E5B16) &&
         addEnum(module, "ErrorKind", "INVALID_ARGUMENT", TEGULA_INVALID_ARGUMENT, "COMPILE", TEGULA_COMPILE,
                 "UNAVAILABLE", TEGULA_UNAVAILABLE, "OUT_OF_RESOURCES", TEGULA_OUT_OF_RESOURCES, "DRIVER",
                 TEGULA_DRIVER, "FAULT", TEGULA_FAULT, "IO", TEGULA_IO, "INTERRUPTED", TEGULA_INTERRUPTED,
                 "FROZEN", TEGULA_FROZEN) &&
         addEnum(module, "Form", "UNSUPPORTED", Form::Unsupported, "TENSOR", Form::Tensor, "DATA_PTR",
                 Form::DataPtr, "CUDA_ARRAY", Form::CudaArray, "HOST_ARRAY", Form::HostArray, "DLPACK",
                 Form::DlPack, "INTEGER", Form::Integer, "FLOATING", Form::Floating, "COMPILE_TIME",
                 Form::CompileTime, "CONSTEXPR", Form::Constexpr, "TRUTH", Form::Truth, "TUPLE", Form::Tuple,
                 "DESCRIPTOR", Form::Descriptor) &&
         addEnum(module, "Given", "BY_PLACE", Given::ByPlace, "AS_REST", Given::AsRest, "BY_NAME",
                 Given::ByName) &&
         PyModule_AddIntConstant(module, "MAX_WARPS", TEGULA_MAX_WARPS) == 0 &&
         PyModule_AddIntConstant(module, "MAX_STAGES", TEGULA_MAX_STAGES) == 0;
}

} // namespace tegula::python
