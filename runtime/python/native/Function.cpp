#include "runtime/python/native/FunctionState.h"

#include "runtime/python/native/Parts.h"
#include "runtime/python/native/launch/Launch.h"

namespace tegula::python {

static FunctionState &functionOf(PyObject *object) { return stateOf<FunctionState>(object); }

// Objects that go may run Python code, which finds the state without them.
static void clearParameters(FunctionState &state) {
  const std::vector<Ref> options = std::exchange(state.options, {});
  const std::vector<FunctionParameter> parameters = std::exchange(state.parameters, {});
}
static void clearGlobals(FunctionState &state) {
  const std::vector<UsedGlobal> globals = std::exchange(state.globals, {});
}

//===--- the object --------------------------------------------------------------------------===//

static PyObject *create(PyTypeObject *type, PyObject *, PyObject *) {
  return makeObject(type, FunctionState());
}

/// The arguments are the subclass's: `object.__init__` would refuse them.
static int initialize(PyObject *, PyObject *, PyObject *) { return 0; }

static int traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  FunctionState &state = functionOf(object);
  for (FunctionParameter &parameter : state.parameters)
    Py_VISIT(parameter.fallback.get());
  for (UsedGlobal &used : state.globals) {
    Py_VISIT(used.globals.get());
    Py_VISIT(used.value.get());
  }
  return state.kernels.traverse(visit, arg);
}

static int clear(PyObject *object) {
  FunctionState &state = functionOf(object);
  state.kernels.clear();
  clearGlobals(state);
  clearParameters(state);
  return 0;
}

//===--- what Python sets --------------------------------------------------------------------===//

static Ref internedCopy(PyObject *name) {
  Py_INCREF(name);
  PyUnicode_InternInPlace(&name);
  return Ref::take(name);
}

/// _configure(parameters, options): parameters are (name, is_constexpr, has_default, default, how it is
/// given).
static PyObject *configure(PyObject *object, PyObject *args) {
  PyObject *parameters = nullptr, *options = nullptr;
  if (!PyArg_ParseTuple(args, "O!O!:_configure", &PyTuple_Type, &parameters, &PyTuple_Type, &options))
    return nullptr;
  FunctionState &state = functionOf(object);
  state.kernels.clear();
  clearParameters(state);
  state.positional = 0;
  state.takesRest = false;
  for (Py_ssize_t i = 0, count = PyTuple_Size(parameters); i < count; ++i) {
    PyObject *name = nullptr, *fallback = nullptr;
    int isConstexpr = 0, hasDefault = 0, given = 0;
    if (!PyArg_ParseTuple(PyTuple_GetItem(parameters, i), "UppOi", &name, &isConstexpr, &hasDefault,
                          &fallback, &given))
      return nullptr;
    state.positional += Given(given) == Given::ByPlace;
    state.takesRest = state.takesRest || Given(given) == Given::AsRest;
    state.parameters.push_back(
        {internedCopy(name), hasDefault ? Ref::share(fallback) : Ref(), isConstexpr != 0});
  }
  for (Py_ssize_t i = 0, count = PyTuple_Size(options); i < count; ++i) {
    PyObject *name = PyTuple_GetItem(options, i);
    if (!PyUnicode_Check(name))
      return PyErr_Format(PyExc_TypeError, "an option is named by a string");
    state.options.push_back(internedCopy(name));
  }
  Py_RETURN_NONE;
}

/// _watch_globals(used): a launch compares each (globals, name, value) with what the name means then.
static PyObject *watchGlobals(PyObject *object, PyObject *used) {
  FunctionState &state = functionOf(object);
  if (!PyTuple_Check(used))
    return PyErr_Format(PyExc_TypeError, "expected a tuple of (globals, name, value)");
  clearGlobals(state);
  for (Py_ssize_t i = 0, count = PyTuple_Size(used); i < count; ++i) {
    PyObject *globals = nullptr, *name = nullptr, *value = nullptr;
    if (!PyArg_ParseTuple(PyTuple_GetItem(used, i), "O!UO", &PyDict_Type, &globals, &name, &value))
      return nullptr;
    state.globals.push_back({Ref::share(globals), internedCopy(name), Ref::share(value)});
  }
  Py_RETURN_NONE;
}

static PyObject *forget(PyObject *object, PyObject *) {
  functionOf(object).kernels.clear();
  Py_RETURN_NONE;
}

template <bool FunctionState::*member> static PyObject *setFlag(PyObject *object, PyObject *flag) {
  const int truth = PyObject_IsTrue(flag);
  if (truth < 0)
    return nullptr;
  functionOf(object).*member = truth == 1;
  Py_RETURN_NONE;
}

//===--- launching ---------------------------------------------------------------------------===//

/// Launches for `kernel[grid]`, a built-in function bound to this pair: calling it makes no tuple of its
/// arguments.
static PyObject *callOnGrid(PyObject *pair, PyObject *const *args, Py_ssize_t count, PyObject *names) {
  LaunchCall call;
  call.function = reinterpret_cast<FunctionObject *>(PyTuple_GetItem(pair, 0));
  call.grid = PyTuple_GetItem(pair, 1);
  call.args = args;
  call.count = count;
  call.names = names;
  return launch(call);
}

static PyMethodDef onGrid = {"launch", method(callOnGrid), METH_FASTCALL | METH_KEYWORDS,
                             "Launches the kernel on the grid that it was subscripted with."};

static PyObject *subscript(PyObject *object, PyObject *grid) {
  if (functionOf(object).hasOwnRun)
    return PyObject_CallMethod(object, "_launcher", "(O)", grid);
  Ref pair = Ref::take(PyTuple_Pack(2, object, grid));
  return pair ? PyCFunction_NewEx(&onGrid, pair.get(), nullptr) : nullptr;
}

static PyObject *launchOrEstimate(PyObject *object, PyObject *const *args, Py_ssize_t count, PyObject *names,
                                  bool onlyEstimates) {
  LaunchCall call;
  call.function = reinterpret_cast<FunctionObject *>(object);
  call.args = args;
  call.count = count;
  call.names = names;
  call.isRun = true;
  call.onlyEstimates = onlyEstimates;
  return launch(call);
}

/// run(*args, grid, warmup=False, **kwargs)
static PyObject *run(PyObject *object, PyObject *const *args, Py_ssize_t count, PyObject *names) {
  return launchOrEstimate(object, args, count, names, false);
}

/// estimate(*args, grid, **kwargs)
static PyObject *estimate(PyObject *object, PyObject *const *args, Py_ssize_t count, PyObject *names) {
  return launchOrEstimate(object, args, count, names, true);
}

static PyMethodDef methods[] = {
    {"run", method(run), METH_FASTCALL | METH_KEYWORDS,
     "run(*args, grid, warmup=False, **kwargs)\n--\n\nLaunches the kernel, or "
     "with `warmup` only compiles it."},
    {"estimate", method(estimate), METH_FASTCALL | METH_KEYWORDS,
     "estimate(*args, grid, **kwargs)\n--\n\nReturns what a model says of a launch: "
     "cycles, and what they are made of as JSON."},
    {"_configure", configure, METH_VARARGS, nullptr},
    {"_watch_globals", watchGlobals, METH_O, nullptr},
    {"_forget", forget, METH_NOARGS, "Drops the kernels compiled so far."},
    {"_call_hooks", setFlag<&FunctionState::hasHooks>, METH_O, nullptr},
    {"_use_own_run", setFlag<&FunctionState::hasOwnRun>, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr}};

bool addFunctionType(PyObject *module) {
  const Ref type = Ref::take(
      reinterpret_cast<PyObject *>(makeType<FunctionState>("tegula._native.Function", create, methods,
                                                           {{Py_tp_init, slot(initialize)},
                                                            {Py_tp_traverse, slot(traverse)},
                                                            {Py_tp_clear, slot(clear)},
                                                            {Py_mp_subscript, slot(subscript)}},
                                                           Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC)));
  return type && PyModule_AddObjectRef(module, "Function", type.get()) == 0;
}

} // namespace tegula::python
