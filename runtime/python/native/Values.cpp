#include "runtime/python/native/Values.h"

#include "runtime/python/native/Errors.h"

namespace tegula::python {

const char *textOf(PyObject *string) { return PyUnicode_AsUTF8AndSize(string, nullptr); }

const char *ValueArena::keep(std::string text) { return texts.emplace_back(std::move(text)).c_str(); }

void ValueArena::clear() {
  texts.clear();
  elements.clear();
  names.clear();
}

//===--- from Python ------------------------------------------------------------------------===//

bool ValueArena::readNames(PyObject *tuple, tegula_value &value) {
  if (tuple == Py_None)
    return true;
  std::vector<const char *> &list = names.emplace_back();
  for (Py_ssize_t i = 0, count = PyTuple_Size(tuple); i < count; ++i) {
    const char *name = textOf(PyTuple_GetItem(tuple, i));
    if (!name)
      return false;
    list.push_back(keep(name));
  }
  value.names = list.data();
  return PyErr_Occurred() == nullptr;
}

bool ValueArena::readElements(PyObject *content, tegula_value &value) {
  Py_ssize_t count = PyTuple_Size(content);
  if (count < 0)
    return false;
  std::vector<tegula_value> &list = elements.emplace_back(size_t(count), tegula_value{});
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!read(PyTuple_GetItem(content, i), list[size_t(i)]))
      return false;
  value.count = uint32_t(count);
  value.of.elements = list.data();
  return true;
}

static bool callHost(void *context, const tegula_value *arguments, const char *const *names, size_t count,
                     tegula_value *result);

bool ValueArena::readContent(PyObject *content, tegula_value &value) {
  switch (value.kind) {
  case TEGULA_VALUE_BOOL:
  case TEGULA_VALUE_INT:
  case TEGULA_VALUE_FUNCTION:
    value.of.integer = PyLong_AsLongLong(content);
    break;
  case TEGULA_VALUE_UINT:
    value.of.integer = int64_t(PyLong_AsUnsignedLongLong(content));
    break;
  case TEGULA_VALUE_FLOAT:
    value.of.floating = PyFloat_AsDouble(content);
    break;
  case TEGULA_VALUE_TUPLE:
  case TEGULA_VALUE_LIST:
  case TEGULA_VALUE_DICT:
  case TEGULA_VALUE_NAMESPACE:
    return readElements(content, value);
  case TEGULA_VALUE_HOST_FUNCTION:
    if (!functions)
      return refuse(PyExc_TypeError, "a function of the host program cannot be handed to the compiler here");
    functions->push_back(Ref::share(content));
    value.of.call = callHost;
    value.context = content;
    break;
  default:
    break;
  }
  return PyErr_Occurred() == nullptr;
}

bool ValueArena::read(PyObject *tuple, tegula_value &value) {
  int kind = 0, isConstexpr = 0;
  PyObject *content = nullptr, *names = nullptr;
  const char *text = nullptr;
  if (!PyArg_ParseTuple(tuple, "iOzOp", &kind, &content, &text, &names, &isConstexpr))
    return false;
  value = {};
  value.kind = uint8_t(kind);
  value.is_constexpr = uint8_t(isConstexpr);
  value.text = text ? keep(text) : nullptr;
  return readNames(names, value) && readContent(content, value);
}

//===--- to Python --------------------------------------------------------------------------===//

static Ref contentObject(const tegula_value &value) {
  switch (value.kind) {
  case TEGULA_VALUE_BOOL:
  case TEGULA_VALUE_INT:
  case TEGULA_VALUE_FUNCTION:
    return Ref::take(PyLong_FromLongLong(value.of.integer));
  case TEGULA_VALUE_UINT:
    return Ref::take(PyLong_FromUnsignedLongLong(uint64_t(value.of.integer)));
  case TEGULA_VALUE_FLOAT:
    return Ref::take(PyFloat_FromDouble(value.of.floating));
  case TEGULA_VALUE_TUPLE:
  case TEGULA_VALUE_LIST:
  case TEGULA_VALUE_DICT:
  case TEGULA_VALUE_NAMESPACE:
    return tupleOf(value.count, [&](size_t i) { return valueTuple(value.of.elements[i]); });
  case TEGULA_VALUE_HOST_FUNCTION:
    // Only functions that came from here are handed back.
    return Ref::share(value.of.call == callHost ? static_cast<PyObject *>(value.context) : Py_None);
  default:
    return Ref::share(Py_None);
  }
}

static Ref nameTuple(const char *const *names, size_t count) {
  if (!names)
    return Ref::share(Py_None);
  return tupleOf(count, [&](size_t i) {
    return names[i] ? PyUnicode_FromString(names[i]) : Ref::share(Py_None).release();
  });
}

PyObject *valueTuple(const tegula_value &value) {
  Ref content = contentObject(value);
  Ref names = nameTuple(value.names, value.count);
  if (!content || !names)
    return nullptr;
  return Py_BuildValue("(iOzON)", int(value.kind), content.get(), value.text, names.get(),
                       PyBool_FromLong(value.is_constexpr));
}

//===--- functions of the host --------------------------------------------------------------===//

/// The message of the exception that is set, which it clears.
static std::string takeMessage() {
  const Ref error = takeException();
  Ref name =
      Ref::take(PyObject_GetAttrString(reinterpret_cast<PyObject *>(Py_TYPE(error.get())), "__name__"));
  Ref text = Ref::take(PyObject_Str(error.get()));
  const char *nameText = name ? textOf(name.get()) : nullptr, *message = text ? textOf(text.get()) : nullptr;
  std::string result = nameText ? nameText : "an exception";
  if (message && *message)
    result += std::string(": ") + message;
  PyErr_Clear();
  return result;
}

static bool callHost(void *context, const tegula_value *arguments, const char *const *names, size_t count,
                     tegula_value *result) {
  // Results live until the next call of their thread, so that compilations of several threads keep theirs.
  thread_local ValueArena arena(/*functions=*/nullptr);
  PyGILState_STATE state = PyGILState_Ensure();
  arena.clear();
  *result = {};
  bool done = false;
  {
    Ref list = tupleOf(count, [&](size_t i) { return valueTuple(arguments[i]); });
    Ref keywords = nameTuple(names, count);
    Ref value;
    if (list && keywords)
      value = Ref::take(PyObject_CallFunctionObjArgs(static_cast<PyObject *>(context), list.get(),
                                                     keywords.get(), nullptr));
    done = value && arena.read(value.get(), *result);
    if (!done) {
      *result = {};
      result->kind = TEGULA_VALUE_STRING;
      result->text = arena.keep(takeMessage());
    }
  }
  PyGILState_Release(state);
  return done;
}

} // namespace tegula::python
