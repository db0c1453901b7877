#include "runtime/python/native/launch/Arguments.h"

#include "runtime/python/native/Parts.h"
#include "runtime/python/native/Values.h"
#include "runtime/python/native/launch/DlPack.h"

#include <array>
#include <string_view>

namespace tegula::python {

//===--- what was set from Python ------------------------------------------------------------===//

/// identify(object) -> (form, whether all objects of its type are the same); dtype_code(dtype) ->
/// tegula_dtype.
static Kept identify, dtypeCode;

/// An attribute of a type whose getter is called without looking it up.
struct Getter {
  Kept descriptor;
  descrgetfunc get = nullptr;

  void set(PyObject *object) {
    descriptor.set(object);
    get = reinterpret_cast<descrgetfunc>(PyType_GetSlot(Py_TYPE(object), Py_tp_descr_get));
  }
  Ref of(PyObject *object) const {
    return Ref::take(get(descriptor.get(), object, reinterpret_cast<PyObject *>(Py_TYPE(object))));
  }
};

static Kept tensorDataPtr, tensorGetDevice;
static Getter tensorDtype, tensorIsCuda;

/// Element types by the identity of the object that names them: all of torch's, then whatever else was met.
struct DtypeEntry {
  Kept dtype;
  uint8_t code = 0;
};
static std::array<DtypeEntry, 32> dtypes;
static size_t dtypeCount = 0;

static void addDtype(PyObject *dtype, uint8_t code) {
  if (dtypeCount == dtypes.size())
    return;
  dtypes[dtypeCount].dtype.set(dtype);
  dtypes[dtypeCount++].code = code;
}

static PyObject *setArgumentHelpers(PyObject *, PyObject *args) {
  PyObject *first = nullptr, *second = nullptr;
  if (!PyArg_ParseTuple(args, "OO", &first, &second))
    return nullptr;
  identify.set(first);
  dtypeCode.set(second);
  Py_RETURN_NONE;
}

//===--- types -------------------------------------------------------------------------------===//

struct TypeEntry {
  Kept type;
  Form form = Form::Unsupported;
};
/// Open addressing by the type's address; a full table sends further types to `identify` each time.
static std::array<TypeEntry, 64> types;
static size_t typeCount = 0;

static size_t placeOf(PyTypeObject *type) { return (reinterpret_cast<uintptr_t>(type) >> 4) % types.size(); }

static void addType(PyObject *type, Form form) {
  if (typeCount >= types.size() / 2)
    return;
  size_t place = placeOf(reinterpret_cast<PyTypeObject *>(type));
  while (types[place].type && types[place].type.get() != type)
    place = (place + 1) % types.size();
  typeCount += !types[place].type;
  types[place].type.set(type);
  types[place].form = form;
}

/// False with an exception set.
static bool formOf(PyObject *value, Form &form) {
  PyObject *type = reinterpret_cast<PyObject *>(Py_TYPE(value));
  for (size_t place = placeOf(Py_TYPE(value)); types[place].type; place = (place + 1) % types.size())
    if (types[place].type.get() == type) {
      form = types[place].form;
      return true;
    }
  if (!identify)
    return refuse(PyExc_RuntimeError, "tegula.runtime.launch.arguments was not imported");
  Ref found = Ref::take(PyObject_CallFunctionObjArgs(identify.get(), value, nullptr));
  int code = 0, same = 0;
  if (!found || !PyArg_ParseTuple(found.get(), "ip", &code, &same))
    return false;
  form = Form(code);
  if (same)
    addType(type, form);
  return true;
}

static PyObject *useTensorType(PyObject *, PyObject *args) {
  PyObject *tensorTypes = nullptr, *dataPtr = nullptr, *dtype = nullptr, *isCuda = nullptr,
           *getDevice = nullptr, *codes = nullptr;
  if (!PyArg_ParseTuple(args, "O!OOOOO!", &PyTuple_Type, &tensorTypes, &dataPtr, &dtype, &isCuda, &getDevice,
                        &PyDict_Type, &codes))
    return nullptr;
  tensorDataPtr.set(dataPtr);
  tensorGetDevice.set(getDevice);
  tensorDtype.set(dtype);
  tensorIsCuda.set(isCuda);
  PyObject *key = nullptr, *value = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(codes, &at, &key, &value);)
    addDtype(key, uint8_t(PyLong_AsLong(value)));
  for (Py_ssize_t i = 0, count = PyTuple_Size(tensorTypes); i < count; ++i)
    addType(PyTuple_GetItem(tensorTypes, i), Form::Tensor);
  if (PyErr_Occurred())
    return nullptr;
  Py_RETURN_NONE;
}

//===--- pointers ----------------------------------------------------------------------------===//

/// The code of an element type; false with an exception set where it has no meaning in a kernel.
static bool codeOf(PyObject *dtype, uint8_t &code) {
  for (size_t i = 0; i < dtypeCount; ++i)
    if (dtypes[i].dtype.get() == dtype) {
      code = dtypes[i].code;
      return true;
    }
  Ref number = Ref::take(PyObject_CallFunctionObjArgs(dtypeCode.get(), dtype, nullptr));
  if (!number)
    return false;
  code = uint8_t(PyLong_AsLong(number.get()));
  if (PyErr_Occurred())
    return false;
  addDtype(dtype, code);
  return true;
}

static bool setAddress(const Ref &address, tegula_argument &argument) {
  if (!address)
    return false;
  argument.kind = TEGULA_ARG_POINTER;
  argument.of.integer = PyLong_AsUnsignedLongLong(address.get());
  return !(argument.of.integer == uint64_t(-1) && PyErr_Occurred());
}

static bool classifyTensor(PyObject *value, tegula_argument &argument, Memory *memory) {
  if (!setAddress(Ref::take(PyObject_CallFunctionObjArgs(tensorDataPtr.get(), value, nullptr)), argument))
    return false;
  Ref dtype = tensorDtype.of(value);
  if (!dtype || !codeOf(dtype.get(), argument.type))
    return false;
  if (!memory)
    return true;
  Ref isCuda = tensorIsCuda.of(value);
  *memory = isCuda.get() == Py_True ? Memory::Device : Memory::Host;
  return bool(isCuda);
}

static bool classifyDataPtr(PyObject *value, tegula_argument &argument, Memory *memory) {
  static PyObject *const dataPtr = interned("data_ptr"), *const dtypeName = interned("dtype"),
                         *const isCudaName = interned("is_cuda");
  if (!setAddress(Ref::take(PyObject_CallMethodObjArgs(value, dataPtr, nullptr)), argument))
    return false;
  Ref dtype = Ref::take(PyObject_GetAttr(value, dtypeName));
  if (!dtype || !codeOf(dtype.get(), argument.type))
    return false;
  if (!memory)
    return true;
  Ref isCuda = Ref::take(PyObject_GetAttr(value, isCudaName));
  if (!isCuda)
    PyErr_Clear();
  *memory = !isCuda ? Memory::Unknown : isCuda.get() == Py_True ? Memory::Device : Memory::Host;
  return true;
}

/// The code of an element type in the spelling of array interfaces: "<f4".
static bool codeOfTypestr(PyObject *text, uint8_t &code) {
  static constexpr std::pair<std::string_view, tegula_dtype> known[] = {
      {"b1", TEGULA_I1},  {"i1", TEGULA_I8},   {"i2", TEGULA_I16},  {"i4", TEGULA_I32},
      {"i8", TEGULA_I64}, {"u1", TEGULA_U8},   {"u2", TEGULA_U16},  {"u4", TEGULA_U32},
      {"u8", TEGULA_U64}, {"f2", TEGULA_FP16}, {"f4", TEGULA_FP32}, {"f8", TEGULA_FP64}};
  const char *chars = PyUnicode_Check(text) ? textOf(text) : nullptr;
  if (!chars)
    return false;
  std::string_view spelling = chars;
  if (spelling.size() == 3 && spelling[0] != '>')
    for (const auto &[name, value] : known)
      if (spelling.substr(1) == name) {
        code = value;
        return true;
      }
  return false;
}

static bool classifyInterface(PyObject *value, const char *attribute, tegula_argument &argument) {
  static PyObject *const dataName = interned("data"), *const typestr = interned("typestr"),
                         *const dtypeName = interned("dtype");
  Ref interface = Ref::take(PyObject_GetAttrString(value, attribute));
  if (!interface)
    return false;
  PyObject *data =
      PyDict_Check(interface.get()) ? PyDict_GetItemWithError(interface.get(), dataName) : nullptr;
  PyObject *type = data ? PyDict_GetItemWithError(interface.get(), typestr) : nullptr;
  if (!data || !type || !PyTuple_Check(data) || PyTuple_Size(data) < 1)
    return refuse(PyExc_TypeError, "`%s` of %R lacks `data` or `typestr`", attribute, Py_TYPE(value));
  // An empty array may have no address.
  PyObject *address = PyTuple_GetItem(data, 0);
  if (!setAddress(address == Py_None ? Ref::take(PyLong_FromLong(0)) : Ref::share(address), argument))
    return false;
  if (codeOfTypestr(type, argument.type))
    return true;
  if (PyErr_Occurred())
    return false;
  // Types that came after NumPy's, such as bfloat16, have a name but no spelling.
  Ref dtype = Ref::take(PyObject_GetAttr(value, dtypeName));
  if (!dtype)
    PyErr_Clear();
  return codeOf(dtype ? dtype.get() : type, argument.type);
}

//===--- numbers -----------------------------------------------------------------------------===//

static bool classifyInteger(PyObject *value, tegula_argument &argument) {
  argument.kind = TEGULA_ARG_INT;
  argument.type = TEGULA_UNTYPED;
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  argument.of.integer = uint64_t(number);
  if (overflow == 0)
    return !(number == -1 && PyErr_Occurred());
  argument.kind = TEGULA_ARG_UINT;
  argument.of.integer = PyLong_AsUnsignedLongLong(value);
  return !PyErr_Occurred(); // an OverflowError for what 64 bits do not hold
}

static bool classifyFloating(PyObject *value, tegula_argument &argument) {
  argument.kind = TEGULA_ARG_FLOAT;
  argument.type = TEGULA_UNTYPED;
  argument.of.floating = PyFloat_AsDouble(value);
  return !(argument.of.floating == -1 && PyErr_Occurred());
}

static void setTruth(bool truth, tegula_argument &argument) {
  argument.kind = TEGULA_ARG_BOOL;
  argument.type = TEGULA_UNTYPED;
  argument.of.integer = truth;
}

static bool classifyIndex(PyObject *value, tegula_argument &argument) {
  Ref number = Ref::take(PyNumber_Index(value));
  return number && classifyInteger(number.get(), argument);
}

static bool classifyTruth(PyObject *value, tegula_argument &argument) {
  const int truth = PyObject_IsTrue(value);
  setTruth(truth == 1, argument);
  return truth >= 0;
}

static bool unsupported(PyObject *value) {
  return refuse(PyExc_TypeError, "failed to specialize argument of type: %R", Py_TYPE(value));
}

static bool classifyObject(PyObject *value, Form form, tegula_argument &argument, Memory *memory) {
  switch (form) {
  case Form::Tensor:
    return classifyTensor(value, argument, memory);
  case Form::DataPtr:
    return classifyDataPtr(value, argument, memory);
  case Form::CudaArray:
    return classifyInterface(value, "__cuda_array_interface__", argument);
  case Form::HostArray:
    if (memory)
      *memory = Memory::Host;
    return classifyInterface(value, "__array_interface__", argument);
  case Form::DlPack: {
    bool onHost = false;
    const bool read = readDlPack(value, argument, onHost);
    if (memory)
      *memory = onHost ? Memory::Host : Memory::Device;
    return read;
  }
  case Form::Integer:
    return classifyIndex(value, argument);
  case Form::Floating:
    return classifyFloating(value, argument);
  case Form::Truth:
    return classifyTruth(value, argument);
  default:
    return unsupported(value);
  }
}

Classified classify(PyObject *value, tegula_argument &argument, Memory *memory) {
  PyTypeObject *type = Py_TYPE(value);
  bool fine = true;
  if (type == &PyLong_Type) {
    fine = classifyInteger(value, argument);
  } else if (type == &PyFloat_Type) {
    fine = classifyFloating(value, argument);
  } else if (type == &PyBool_Type) {
    setTruth(value == Py_True, argument);
  } else if (value == Py_None) {
    argument = {TEGULA_ARG_NONE, TEGULA_UNTYPED, {0}};
  } else {
    Form form;
    if (!formOf(value, form))
      return Classified::Failed;
    if (form == Form::CompileTime || form == Form::Constexpr)
      return Classified::CompileTime;
    if (form == Form::Tuple)
      return Classified::Tuple;
    if (form == Form::Descriptor)
      return Classified::Descriptor;
    fine = classifyObject(value, form, argument, memory);
  }
  return fine ? Classified::RunTime : Classified::Failed;
}

bool isTensor(PyObject *value) {
  Form form;
  return formOf(value, form) && form == Form::Tensor;
}

bool isDescriptor(PyObject *value) {
  Form form;
  if (formOf(value, form))
    return form == Form::Descriptor;
  PyErr_Clear(); // it shows again where the value is classified
  return false;
}

Ref partsOf(PyObject *descriptor) {
  static PyObject *const name = interned("_parts");
  Ref parts = Ref::take(PyObject_CallMethodObjArgs(descriptor, name, nullptr));
  if (parts && !PyTuple_Check(parts.get())) {
    PyErr_SetString(PyExc_TypeError, "expected a tuple from `_parts` of a tensor descriptor");
    return {};
  }
  return parts;
}

long tensorDevice(PyObject *tensor) {
  Ref number = Ref::take(PyObject_CallFunctionObjArgs(tensorGetDevice.get(), tensor, nullptr));
  if (!number)
    return -2;
  return PyLong_AsLong(number.get());
}

Ref withoutConstexpr(PyObject *value) {
  static PyObject *const valueName = interned("value");
  PyTypeObject *type = Py_TYPE(value);
  if (type == &PyLong_Type || type == &PyUnicode_Type || type == &PyBool_Type || type == &PyFloat_Type ||
      value == Py_None)
    return Ref::share(value);
  Form form;
  if (!formOf(value, form))
    return {};
  if (form != Form::Constexpr)
    return Ref::share(value);
  Ref inner = Ref::take(PyObject_GetAttr(value, valueName));
  return inner ? withoutConstexpr(inner.get()) : Ref();
}

PyMethodDef argumentFunctions[] = {
    {"use_tensor_type", useTensorType, METH_VARARGS,
     "use_tensor_type(types, data_ptr, dtype, is_cuda, get_device, codes)"},
    {"set_argument_helpers", setArgumentHelpers, METH_VARARGS, "set_argument_helpers(identify, dtype_code)"},
    {nullptr, nullptr, 0, nullptr}};

} // namespace tegula::python
