#include "runtime/python/native/Function.h"

#include "runtime/python/native/FunctionState.h"
#include "runtime/python/native/launch/Launch.h"

namespace tegula::python {

static FunctionObject *functionOf(PyObject *object) { return reinterpret_cast<FunctionObject *>(object); }

static void clearParameters(FunctionState &state) {
  std::vector<FunctionParameter> parameters;
  parameters.swap(state.parameters);
  std::vector<PyObject *> options;
  options.swap(state.options);
  for (FunctionParameter &parameter : parameters) {
    Py_DECREF(parameter.name);
    Py_XDECREF(parameter.fallback);
  }
  for (PyObject *name : options)
    Py_DECREF(name);
}

static void clearGlobals(FunctionState &state) {
  std::vector<UsedGlobal> globals;
  globals.swap(state.globals);
  for (UsedGlobal &used : globals) {
    Py_DECREF(used.globals);
    Py_DECREF(used.name);
    Py_DECREF(used.value);
  }
}

//===--- the object --------------------------------------------------------------------------===//

static PyObject *create(PyTypeObject *type, PyObject *, PyObject *) {
  PyObject *object = PyType_GenericAlloc(type, 0);
  if (object)
    functionOf(object)->state = new FunctionState();
  return object;
}

/// The arguments are the subclass's: `object.__init__` would refuse them.
static int initialize(PyObject *, PyObject *, PyObject *) { return 0; }

static int traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  FunctionState *state = functionOf(object)->state;
  if (!state)
    return 0;
  for (FunctionParameter &parameter : state->parameters)
    Py_VISIT(parameter.fallback);
  for (UsedGlobal &used : state->globals) {
    Py_VISIT(used.globals);
    Py_VISIT(used.value);
  }
  return state->kernels.traverse(visit, arg);
}

static int clear(PyObject *object) {
  if (FunctionState *state = functionOf(object)->state) {
    state->kernels.clear();
    clearGlobals(*state);
    clearParameters(*state);
  }
  return 0;
}

static void dealloc(PyObject *object) {
  PyObject_GC_UnTrack(object);
  clear(object);
  delete functionOf(object)->state;
  freeObject(object);
}

//===--- what Python sets --------------------------------------------------------------------===//

static PyObject *internedCopy(PyObject *name) {
  Py_INCREF(name);
  PyUnicode_InternInPlace(&name);
  return name;
}

/// _configure(parameters, options): parameters are (name, is_constexpr, has_default, default, how it is
/// given).
static PyObject *configure(PyObject *object, PyObject *args) {
  PyObject *parameters = nullptr, *options = nullptr;
  if (!PyArg_ParseTuple(args, "O!O!:_configure", &PyTuple_Type, &parameters, &PyTuple_Type, &options))
    return nullptr;
  FunctionState &state = *functionOf(object)->state;
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
        {internedCopy(name), hasDefault ? Ref::share(fallback).release() : nullptr, isConstexpr != 0});
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
  FunctionState &state = *functionOf(object)->state;
  if (!PyTuple_Check(used))
    return PyErr_Format(PyExc_TypeError, "expected a tuple of (globals, name, value)");
  clearGlobals(state);
  for (Py_ssize_t i = 0, count = PyTuple_Size(used); i < count; ++i) {
    PyObject *globals = nullptr, *name = nullptr, *value = nullptr;
    if (!PyArg_ParseTuple(PyTuple_GetItem(used, i), "O!UO", &PyDict_Type, &globals, &name, &value))
      return nullptr;
    state.globals.push_back({Ref::share(globals).release(), internedCopy(name), Ref::share(value).release()});
  }
  Py_RETURN_NONE;
}

static PyObject *forget(PyObject *object, PyObject *) {
  functionOf(object)->state->kernels.clear();
  Py_RETURN_NONE;
}

template <bool FunctionState::*member> static PyObject *setFlag(PyObject *object, PyObject *flag) {
  const int truth = PyObject_IsTrue(flag);
  if (truth < 0)
    return nullptr;
  functionOf(object)->state->*member = truth == 1;
  Py_RETURN_NONE;
}

//===--- launching ---------------------------------------------------------------------------===//

/// Launches for `kernel[grid]`, a built-in function bound to this pair: calling it makes no tuple of its
/// arguments.
static PyObject *callOnGrid(PyObject *pair, PyObject *const *args, Py_ssize_t count, PyObject *names) {
  LaunchCall call;
  call.function = functionOf(PyTuple_GetItem(pair, 0));
  call.grid = PyTuple_GetItem(pair, 1);
  call.args = args;
  call.count = count;
  call.names = names;
  return launch(call);
}

static PyMethodDef onGrid = {"launch", method(callOnGrid), METH_FASTCALL | METH_KEYWORDS,
                             "Launches the kernel on the grid that it was subscripted with."};

static PyObject *subscript(PyObject *object, PyObject *grid) {
  if (functionOf(object)->state->hasOwnRun)
    return PyObject_CallMethod(object, "_launcher", "(O)", grid);
  Ref pair = Ref::take(PyTuple_Pack(2, object, grid));
  return pair ? PyCFunction_NewEx(&onGrid, pair.get(), nullptr) : nullptr;
}

static PyObject *launchOrEstimate(PyObject *object, PyObject *const *args, Py_ssize_t count, PyObject *names,
                                  bool onlyEstimates) {
  LaunchCall call;
  call.function = functionOf(object);
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
  PyType_Slot slots[] = {{Py_tp_new, slot(create)},      {Py_tp_init, slot(initialize)},
                         {Py_tp_dealloc, slot(dealloc)}, {Py_tp_traverse, slot(traverse)},
                         {Py_tp_clear, slot(clear)},     {Py_mp_subscript, slot(subscript)},
                         {Py_tp_methods, methods},       {0, nullptr}};
  PyType_Spec spec = {"tegula._native.Function", sizeof(FunctionObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  Ref type = Ref::take(PyType_FromSpec(&spec));
  return type && PyModule_AddObjectRef(module, "Function", type.get()) == 0;
}

} // namespace tegula::python
