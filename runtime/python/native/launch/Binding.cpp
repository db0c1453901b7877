#include "runtime/python/native/launch/Binding.h"

#include <algorithm>

namespace tegula::python {

static PyObject *nameOf(const LaunchCall &call) {
  PyObject *name = PyObject_GetAttrString(reinterpret_cast<PyObject *>(call.function), "__name__");
  if (name)
    return name;
  PyErr_Clear();
  return PyUnicode_FromString("the kernel");
}

static bool tooMany(const LaunchCall &call, size_t parameters) {
  Ref name = Ref::take(nameOf(call));
  return refuse(PyExc_TypeError, "%U() takes %zu positional arguments but %zd were given", name.get(),
                parameters, call.count);
}

static bool missing(const LaunchCall &call, PyObject *parameter) {
  Ref name = Ref::take(nameOf(call));
  return refuse(PyExc_TypeError, "%U() missing 1 required positional argument: '%U'", name.get(), parameter);
}

/// Returns the place of a keyword's value among the values; `count` where it is neither parameter nor option.
/// Keywords mostly come in the order of the parameters, so the search goes on from the last one found.
static size_t placeOf(const FunctionState &state, PyObject *name, size_t from) {
  const size_t parameters = state.parameters.size(), options = state.options.size();
  for (size_t i = from; i < parameters; ++i)
    if (state.parameters[i].name.get() == name)
      return i;
  for (size_t i = 0; i < std::min(from, parameters); ++i)
    if (state.parameters[i].name.get() == name)
      return i;
  for (size_t i = 0; i < options; ++i)
    if (state.options[i].get() == name)
      return parameters + i;
  // Names made while the program runs are not interned.
  for (size_t i = 0; i < parameters; ++i)
    if (PyUnicode_Compare(state.parameters[i].name.get(), name) == 0)
      return i;
  for (size_t i = 0; i < options; ++i)
    if (PyUnicode_Compare(state.options[i].get(), name) == 0)
      return parameters + i;
  return parameters + options;
}

/// Takes the value of a keyword of `run` itself; false if it is another's.
static bool takeOwn(PyObject *name, PyObject *value, Binding &binding, bool &failed) {
  static PyObject *const gridName = interned("grid"), *const warmupName = interned("warmup");
  if (name == gridName || PyUnicode_Compare(name, gridName) == 0) {
    binding.grid = value;
    return true;
  }
  if (name != warmupName && PyUnicode_Compare(name, warmupName) != 0)
    return false;
  const int truth = PyObject_IsTrue(value);
  failed = truth < 0;
  binding.warmup = truth == 1;
  return true;
}

static bool bindKeywords(const LaunchCall &call, Binding &binding) {
  const FunctionState &state = call.function->state;
  size_t from = std::min(size_t(call.count), state.positional);
  for (Py_ssize_t i = 0, count = PyTuple_Size(call.names); i < count; ++i) {
    PyObject *name = PyTuple_GetItem(call.names, i), *value = call.args[call.count + i];
    const size_t place = placeOf(state, name, from);
    if (place == binding.count) {
      bool failed = false;
      if (call.isRun && takeOwn(name, value, binding, failed)) {
        if (failed)
          return false;
        continue;
      }
      return refuse(PyExc_KeyError, "Keyword argument %U was specified but unrecognised", name);
    }
    if (binding.values[place]) {
      Ref function = Ref::take(nameOf(call));
      return refuse(PyExc_TypeError, "%U() got multiple values for argument '%U'", function.get(), name);
    }
    binding.values[place] = value;
    if (place < binding.parameterCount)
      from = place + 1;
  }
  return true;
}

/// The arguments behind the first `from` that have no name, as a tuple.
static Ref gathered(const LaunchCall &call, size_t from) {
  const size_t count = size_t(std::max(call.count - Py_ssize_t(from), Py_ssize_t(0)));
  return tupleOf(count, [&](size_t i) { return Ref::share(call.args[from + i]).release(); });
}

bool bind(const LaunchCall &call, Binding &binding) {
  const FunctionState &state = call.function->state;
  if (size_t(call.count) > state.positional && !state.takesRest)
    return tooMany(call, state.positional);
  const size_t byPlace = std::min(size_t(call.count), state.positional);
  PyObject **values = binding.values.data();
  std::copy_n(call.args, byPlace, values);
  std::fill(values + byPlace, values + binding.count, nullptr);
  if (state.takesRest) {
    binding.rest = gathered(call, byPlace);
    if (!binding.rest)
      return false;
    values[state.positional] = binding.rest.get();
  }
  binding.grid = call.grid;
  if (call.names && !bindKeywords(call, binding))
    return false;
  for (size_t i = byPlace; i < binding.parameterCount; ++i) {
    if (!values[i])
      values[i] = state.parameters[i].fallback.get();
    if (!values[i])
      return missing(call, state.parameters[i].name.get());
  }
  if (!binding.grid && !binding.warmup)
    return refuse(PyExc_TypeError, "run() missing 1 required keyword-only argument: 'grid'");
  return true;
}

PyObject *boundValues(const FunctionState &state, Binding &binding) {
  Ref dict = Ref::take(PyDict_New());
  for (size_t i = 0; dict && i < binding.count; ++i) {
    const Ref &name =
        i < binding.parameterCount ? state.parameters[i].name : state.options[i - binding.parameterCount];
    if (binding.values[i] && PyDict_SetItem(dict.get(), name.get(), binding.values[i]) != 0)
      return nullptr;
  }
  return dict.release();
}

static bool readSide(PyObject *object, uint32_t &side) {
  Ref number = Ref::take(PyNumber_Index(object));
  if (!number)
    return false;
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
  if (overflow == 0 && value == -1 && PyErr_Occurred())
    return false;
  if (overflow != 0 || value < 0 || value > int64_t(UINT32_MAX))
    return refuse(PyExc_ValueError, "expected a side of the grid from 0 to 4294967295, found %S",
                  number.get());
  side = uint32_t(value);
  return true;
}

bool readGrid(PyObject *object, uint32_t (&grid)[3]) {
  grid[0] = grid[1] = grid[2] = 1;
  const bool isTuple = PyTuple_Check(object);
  if (!isTuple && !PyList_Check(object))
    return readSide(object, grid[0]);
  const Py_ssize_t count = isTuple ? PyTuple_Size(object) : PyList_Size(object);
  if (count < 1 || count > 3)
    return refuse(PyExc_ValueError, "expected a grid of 1 to 3 sides, found %zd", count);
  for (Py_ssize_t i = 0; i < count; ++i) {
    Ref side = Ref::share(isTuple ? PyTuple_GetItem(object, i) : PyList_GetItem(object, i));
    if (!side || !readSide(side.get(), grid[i]))
      return false;
  }
  return true;
}

} // namespace tegula::python
