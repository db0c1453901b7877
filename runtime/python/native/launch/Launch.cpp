#include "runtime/python/native/launch/Launch.h"

#include "runtime/python/native/Current.h"
#include "runtime/python/native/Errors.h"
#include "runtime/python/native/Kernel.h"
#include "runtime/python/native/Parts.h"
#include "runtime/python/native/launch/Arguments.h"
#include "runtime/python/native/launch/HostMemory.h"

namespace tegula::python {

static Kept runtimeKnobs, hostPointer, runTimeMark, namedForm;

/// Counts changes of knobs, on which the code of kernels may depend: the next launch of each function asks
/// `_kernel_for` anew.
static uint64_t knobChanges = 0;

static PyObject *lookUpAgain(PyObject *, PyObject *) {
  ++knobChanges;
  Py_RETURN_NONE;
}

static PyObject *setLaunchHooks(PyObject *, PyObject *knobs) {
  if (!PyDict_Check(knobs))
    return PyErr_Format(PyExc_TypeError, "expected the dict of the runtime's knobs");
  runtimeKnobs.set(knobs);
  Py_RETURN_NONE;
}

/// The form of `tuple`, which has the items of `form`: of a named one the names belong to it.
static Ref named(PyObject *tuple, Ref form) {
  if (!form || PyTuple_CheckExact(tuple))
    return form;
  return Ref::take(PyObject_CallFunctionObjArgs(namedForm.get(), tuple, form.get(), nullptr));
}

/// Returns the most values that a tuple holds, those of tuples in it included; 1 for anything else.
static size_t leavesOf(PyObject *value) {
  constexpr size_t mostParts = 16; // of a descriptor: a form, a base, five sides and strides
  if (!PyTuple_Check(value))
    return isDescriptor(value) ? mostParts : 1;
  size_t leaves = 0;
  for (Py_ssize_t i = 0, count = PyTuple_Size(value); i < count; ++i)
    leaves += leavesOf(PyTuple_GetItem(value, i));
  return leaves;
}

/// The hook that a knob holds, empty without one. A chain of hooks without links is none: to ask its
/// `__bool__` would be most of the time of a launch. False with an exception set.
static bool findHook(PyObject *name, Ref &hook) {
  static PyObject *const calls = interned("calls");
  PyObject *found = runtimeKnobs ? PyDict_GetItemWithError(runtimeKnobs.get(), name) : nullptr;
  if (!found || found == Py_None)
    return !PyErr_Occurred();
  hook = Ref::share(found);
  Ref links = Ref::take(PyObject_GetAttr(found, calls));
  if (!links)
    PyErr_Clear(); // a function
  else if (PyList_Check(links.get()) && PyList_Size(links.get()) == 0)
    hook = {};
  return true;
}

static bool hasLaunchHooks() {
  static PyObject *const enter = interned("launch_enter_hook"), *const exit = interned("launch_exit_hook");
  Ref hook;
  const bool fine = findHook(enter, hook) && (hook || findHook(exit, hook));
  return !fine || hook; // a failure shows where the hook is called
}

/// host_range(object) gives the (start, bytes, read-only) of the memory that an object lies in;
/// host_pointer(index, name, object) raises where a GPU cannot reach it.
static PyObject *setMemoryHelpers(PyObject *, PyObject *args) {
  PyObject *range = nullptr, *pointer = nullptr;
  if (!PyArg_ParseTuple(args, "OO:set_memory_helpers", &range, &pointer))
    return nullptr;
  setHostRange(range);
  hostPointer.set(pointer);
  Py_RETURN_NONE;
}

/// Returns the Python object of a variant, empty if it has none yet.
static Ref compiledOf(KernelObject *kernel, const void *variant) {
  for (const KernelState::Loaded &loaded : kernel->state.loaded)
    if (loaded.variant == variant)
      return loaded.compiled;
  return {};
}

namespace {

/// One launch on its way.
class Launch {
public:
  explicit Launch(const LaunchCall &call)
      : call(call), state(call.function->state), binding(state), keyValues(binding.count),
        arguments(binding.parameterCount) {}
  ~Launch() {
    for (size_t i = 0; i < ownedCount; ++i)
      Py_DECREF(owned[i]);
  }
  Launch(const Launch &) = delete;
  Launch &operator=(const Launch &) = delete;

  PyObject *go();

private:
  PyObject *self() const { return reinterpret_cast<PyObject *>(call.function); }
  bool checkGlobals();
  bool runHooks();
  bool sort();
  Classified pass(size_t parameter, PyObject *value);
  bool addArgument(size_t parameter);
  bool addTuple(size_t parameter, PyObject *tuple);
  Ref formOf(size_t parameter, PyObject *tuple);
  bool addToKey(size_t place, PyObject *value);
  void keep(Ref value);
  bool checkPlace(size_t parameter, PyObject *value, Memory memory, uint64_t address);
  bool knownValues(Ref &values, Ref &options);
  Ref findKernel();
  Ref makeKernel(const CompileTimeKey &key);
  enum class Ready : uint8_t {
    Failed,  ///< with an exception set
    Missing, ///< still to be compiled; nothing was launched
    Done,
  };
  Ready launchReady(KernelObject *kernel, const uint32_t *grid, Ref &compiled);
  bool mayPrepare(KernelObject *kernel);
  Ref askBefore(KernelObject *kernel);
  Ref makeCompiled(KernelObject *kernel);
  bool findGrid(uint32_t (&grid)[3]);
  PyObject *estimate(KernelObject *kernel, const uint32_t *grid);
  PyObject *launchSlowly(KernelObject *kernel, const uint32_t *grid);
  bool callHook(PyObject *name, PyObject *compiled, const uint32_t *grid);

  const LaunchCall &call;
  FunctionState &state;
  Binding binding;
  SmallArray<PyObject *, 64> keyValues;
  SmallArray<tegula_argument, 64> arguments;
  size_t argumentCount = 0;
  uint64_t hash = 0;
  Current current;
  HostMemory hostMemory;
  PyObject *owned[8]; ///< what came out of a `tl.constexpr`; beyond that of `more`
  size_t ownedCount = 0;
  std::vector<Ref> more;
};

/// A name that was read when the kernel was compiled must mean the same: its value is part of the code.
bool Launch::checkGlobals() {
  for (size_t i = 0; i < state.globals.size(); ++i) {
    const UsedGlobal &used = state.globals[i];
    PyObject *now = PyDict_GetItemWithError(used.globals.get(), used.name.get());
    if (now == used.value.get())
      continue;
    if (!now && PyErr_Occurred())
      return false;
    // A comparison may run Python code, which may change the list.
    const Ref old = used.value, name = used.name, value = Ref::share(now ? now : Py_None);
    const int same = now ? sameValue(old.get(), value.get()) : 0;
    if (same == 1)
      continue;
    if (same == 0)
      Ref::take(PyObject_CallMethod(self(), "_changed_global", "OOO", name.get(), old.get(), value.get()));
    return false;
  }
  return true;
}

bool Launch::runHooks() {
  Ref args = tupleOf(size_t(call.count), [&](size_t i) { return Ref::share(call.args[i]).release(); });
  Ref keywords = Ref::take(PyDict_New());
  if (!args || !keywords)
    return false;
  for (Py_ssize_t i = 0, count = call.names ? PyTuple_Size(call.names) : 0; i < count; ++i)
    if (PyDict_SetItem(keywords.get(), PyTuple_GetItem(call.names, i), call.args[call.count + i]) != 0)
      return false;
  return bool(Ref::take(PyObject_CallMethod(self(), "_run_hooks", "OO", args.get(), keywords.get())));
}

bool Launch::addToKey(size_t place, PyObject *value) {
  Ref content = withoutConstexpr(value);
  if (!content)
    return false;
  uint64_t own = 0;
  if (!hashValue(content.get(), own))
    return false;
  hash = (hash ^ own ^ place) * 0x9e3779b97f4a7c15ull;
  hash ^= hash >> 32;
  keyValues[place] = content.get();
  if (content.get() != value)
    keep(std::move(content));
  return true;
}

/// Lets a value that the key borrows live as long as the launch.
void Launch::keep(Ref value) {
  if (ownedCount < std::size(owned))
    owned[ownedCount++] = value.release();
  else
    more.push_back(std::move(value));
}

bool Launch::checkPlace(size_t parameter, PyObject *value, Memory memory, uint64_t address) {
  if (binding.warmup)
    return true;
  PyObject *name = state.parameters[parameter].name.get();
  if (current.device->state.isHost) {
    if (memory == Memory::Device)
      return refuse(
          PyExc_ValueError,
          "argument `%U` lies in memory of a GPU, which the emulator and the interpreter do not reach", name);
    return hostMemory.add(value);
  }
  if (memory == Memory::Host && address)
    return bool(
        Ref::take(PyObject_CallFunction(hostPointer.get(), "nOO", Py_ssize_t(parameter), name, value)));
  if (!current.severalDevices || memory != Memory::Device || !isTensor(value))
    return !PyErr_Occurred();
  const long device = tensorDevice(value);
  if (device != current.ordinal && device != -2)
    PyErr_Format(PyExc_ValueError, "argument `%U` lies on cuda:%ld, but the current device is cuda:%ld", name,
                 device, current.ordinal);
  return device == current.ordinal;
}

/// Passes `value` as the next argument, where it is one.
Classified Launch::pass(size_t parameter, PyObject *value) {
  tegula_argument &argument = arguments[argumentCount];
  Memory memory = Memory::Unknown;
  const Classified classified = classify(value, argument, &memory);
  if (classified != Classified::RunTime)
    return classified;
  ++argumentCount;
  const bool fine =
      argument.kind != TEGULA_ARG_POINTER || checkPlace(parameter, value, memory, argument.of.integer);
  return fine ? Classified::RunTime : Classified::Failed;
}

bool Launch::addArgument(size_t parameter) {
  PyObject *value = binding.values[parameter];
  switch (pass(parameter, value)) {
  case Classified::Failed:
    return false;
  case Classified::CompileTime:
    return addToKey(parameter, value);
  case Classified::Tuple:
    return addTuple(parameter, value);
  case Classified::Descriptor: {
    Ref parts = partsOf(value);
    const bool added = parts && addTuple(parameter, parts.get());
    keep(std::move(parts));
    return added;
  }
  case Classified::RunTime:
    break;
  }
  keyValues[parameter] = nullptr;
  return true;
}

bool Launch::addTuple(size_t parameter, PyObject *tuple) {
  // Arguments after it have one place each, as before.
  const size_t most = argumentCount + leavesOf(tuple) + binding.parameterCount - parameter;
  if (most > arguments.size())
    arguments.grow(most, argumentCount);
  Ref form = formOf(parameter, tuple);
  if (!form || !addToKey(parameter, form.get()))
    return false;
  keep(std::move(form));
  return true;
}

/// Passes what a tuple holds as arguments of their own, and gives what is left of it: the tuple with marks in
/// their places. That is part of the key.
Ref Launch::formOf(size_t parameter, PyObject *tuple) {
  const Py_ssize_t count = PyTuple_Size(tuple);
  Ref form = Ref::take(PyTuple_New(count));
  for (Py_ssize_t i = 0; form && i < count; ++i) {
    PyObject *value = PyTuple_GetItem(tuple, i);
    Ref left;
    if (PyTuple_Check(value)) {
      left = formOf(parameter, value);
    } else {
      const Classified classified = pass(parameter, value);
      if (classified == Classified::CompileTime) {
        left = withoutConstexpr(value);
      } else if (classified == Classified::Descriptor) {
        Ref parts = partsOf(value);
        if (parts)
          left = formOf(parameter, parts.get());
        keep(std::move(parts));
      } else if (classified == Classified::RunTime) {
        left = Ref::share(runTimeMark.get());
      }
    }
    if (!left)
      return {};
    PyTuple_SetItem(form.get(), i, left.release());
  }
  return named(tuple, std::move(form));
}

/// Sorts the values into what is fixed when compiling and what is passed.
bool Launch::sort() {
  for (size_t i = 0; i < binding.parameterCount; ++i)
    if (!(state.parameters[i].isConstexpr ? addToKey(i, binding.values[i]) : addArgument(i)))
      return false;
  for (size_t i = binding.parameterCount; i < binding.count; ++i) {
    keyValues[i] = nullptr;
    if (binding.values[i] && !addToKey(i, binding.values[i]))
      return false;
  }
  return true;
}

/// The values of the key, those of parameters and those of options, as dicts. False with an exception set.
bool Launch::knownValues(Ref &values, Ref &options) {
  values = Ref::take(PyDict_New());
  options = Ref::take(PyDict_New());
  if (!values || !options)
    return false;
  for (size_t i = 0; i < binding.count; ++i) {
    if (!keyValues[i])
      continue;
    const bool isParameter = i < binding.parameterCount;
    const Ref &name = isParameter ? state.parameters[i].name : state.options[i - binding.parameterCount];
    if (PyDict_SetItem(isParameter ? values.get() : options.get(), name.get(), keyValues[i]) != 0)
      return false;
  }
  return true;
}

Ref Launch::makeKernel(const CompileTimeKey &key) {
  Ref values, options;
  if (!knownValues(values, options))
    return {};
  Ref kernel = Ref::take(PyObject_CallMethod(self(), "_kernel_for", "OO", values.get(), options.get()));
  if (!kernel || !asKernel(kernel.get()))
    return {};
  // Another thread may have come first: a key has one kernel, which knows all that was compiled of it.
  if (Ref first = state.kernels.find(key); first || PyErr_Occurred())
    return first;
  state.kernels.add(key, kernel.get());
  return kernel;
}

Ref Launch::findKernel() {
  if (state.knobs != knobChanges) {
    state.knobs = knobChanges;
    state.kernels.clear();
  }
  const CompileTimeKey key{keyValues.data(), binding.count, hash};
  Ref kernel = state.kernels.find(key);
  return kernel || PyErr_Occurred() ? kernel : makeKernel(key);
}

/// Launches on `grid`, or without one only looks.
Launch::Ready Launch::launchReady(KernelObject *kernel, const uint32_t *grid, Ref &compiled) {
  const void *variant = nullptr;
  auto launch = [&] {
    return tegula_kernel_launch_ready(kernel->state.kernel, current.device->state.device, grid,
                                      arguments.data(), argumentCount, current.stream, &variant);
  };
  tegula_error *error =
      withoutGil([&] { return grid ? hostMemory.during(current.device, launch) : launch(); });
  const bool shown = !grid || !current.device->state.isHost || showPrinted(current.device->state.device);
  if (error)
    raise(error);
  if (error || !shown)
    return Ready::Failed;
  if (!variant)
    return Ready::Missing;
  compiled = compiledOf(kernel, variant);
  if (!compiled) // another thread has compiled it, and not come further yet
    compiled = makeCompiled(kernel);
  return compiled ? Ready::Done : Ready::Failed;
}

/// Returns the answer of `_before_compile`.
Ref Launch::askBefore(KernelObject *kernel) {
  char *types = nullptr;
  if (tegula_error *error =
          tegula_kernel_types(kernel->state.kernel, arguments.data(), argumentCount, &types))
    return Ref::take(raise(error));
  Ref values, options, told;
  if (knownValues(values, options))
    told = Ref::take(PyObject_CallMethod(self(), "_before_compile", "OsOOO", kernel, types, values.get(),
                                         options.get(), binding.warmup ? Py_True : Py_False));
  tegula_text_free(types);
  return told;
}

/// Compiles and loads what these arguments need; None where a hook says that it is not to be.
Ref Launch::makeCompiled(KernelObject *kernel) {
  Ref begun = askBefore(kernel);
  if (!begun || begun.get() == Py_None)
    return begun;
  const char *entry = nullptr;
  PyObject *told = nullptr;
  if (!PyArg_ParseTuple(begun.get(), "zO:_before_compile", &entry, &told))
    return {};
  Ref prepared = Ref::take(prepareVariant(kernel, current.device, arguments.data(), argumentCount, entry));
  if (!prepared)
    return {};
  const void *variant = nullptr;
  if (tegula_error *error =
          tegula_kernel_launch_ready(kernel->state.kernel, current.device->state.device, nullptr,
                                     arguments.data(), argumentCount, nullptr, &variant))
    return Ref::take(raise(error));
  Ref compiled = Ref::take(
      PyObject_CallMethod(self(), "_compiled_kernel", "OOOO", kernel, prepared.get(), current.device, told));
  // Another thread may have come first, while this one compiled: all get the same object.
  if (Ref first = compiledOf(kernel, variant); first && compiled)
    return first;
  if (compiled)
    kernel->state.loaded.push_back({variant, compiled});
  return compiled;
}

bool Launch::callHook(PyObject *name, PyObject *compiled, const uint32_t *grid) {
  Ref hook;
  if (!findHook(name, hook))
    return false;
  if (!hook)
    return true;
  Ref bound = Ref::take(boundValues(state, binding));
  Ref metadata;
  if (bound)
    metadata = Ref::take(PyObject_CallMethod(
        compiled, "_launch_metadata", "IIIKO", grid[0], grid[1], grid[2],
        static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(current.stream)), bound.get()));
  return metadata && Ref::take(PyObject_CallFunctionObjArgs(hook.get(), metadata.get(), nullptr));
}

bool Launch::findGrid(uint32_t (&grid)[3]) {
  if (!PyCallable_Check(binding.grid))
    return readGrid(binding.grid, grid);
  Ref bound = Ref::take(boundValues(state, binding));
  Ref made;
  if (bound)
    made = Ref::take(PyObject_CallFunctionObjArgs(binding.grid, bound.get(), nullptr));
  return made && readGrid(made.get(), grid);
}

/// A driver that loads a module ends the capture of a stream. False with an exception set.
bool Launch::mayPrepare(KernelObject *kernel) {
  tegula_error *error = withoutGil([&] {
    return tegula_kernel_may_prepare(kernel->state.kernel, current.device->state.device, arguments.data(),
                                     argumentCount, current.stream);
  });
  if (error)
    raise(error);
  return !error;
}

/// The launch with what surrounds it: the first of a variant, and those with hooks.
PyObject *Launch::launchSlowly(KernelObject *kernel, const uint32_t *grid) {
  static PyObject *const enter = interned("launch_enter_hook"), *const exit = interned("launch_exit_hook");
  Ref compiled;
  const Ready ready = launchReady(kernel, nullptr, compiled);
  if (ready == Ready::Missing && (!grid || mayPrepare(kernel)))
    compiled = makeCompiled(kernel);
  if (!compiled || compiled.get() == Py_None || !grid)
    return compiled.release();
  if (!callHook(enter, compiled.get(), grid) || launchReady(kernel, grid, compiled) != Ready::Done ||
      !callHook(exit, compiled.get(), grid))
    return nullptr;
  return compiled.release();
}

/// Returns cycles and terms of the launch by a model, which compiles nothing.
PyObject *Launch::estimate(KernelObject *kernel, const uint32_t *grid) {
  double cycles = 0;
  char *terms = nullptr;
  tegula_error *error = withoutGil([&] {
    return tegula_kernel_estimate(kernel->state.kernel, current.device->state.device, grid, arguments.data(),
                                  argumentCount, &cycles, &terms);
  });
  if (error)
    return raise(error);
  PyObject *found = Py_BuildValue("ds", cycles, terms);
  tegula_text_free(terms);
  return found;
}

PyObject *Launch::go() {
  if (!bind(call, binding) || !checkGlobals() || (state.hasHooks && !call.onlyEstimates && !runHooks()) ||
      !currentDevice(current) || !sort())
    return nullptr;
  Ref kernel = findKernel();
  if (!kernel)
    return nullptr;
  auto *found = reinterpret_cast<KernelObject *>(kernel.get());
  uint32_t grid[3];
  if (!binding.warmup && !findGrid(grid))
    return nullptr;
  if (call.onlyEstimates)
    return estimate(found, grid);
  const bool launches = !binding.warmup && grid[0] && grid[1] && grid[2];
  if (launches && !hasLaunchHooks()) {
    Ref compiled;
    if (launchReady(found, grid, compiled) != Ready::Missing)
      return compiled.release();
  }
  return launchSlowly(found, launches ? grid : nullptr);
}

} // namespace

PyObject *launch(const LaunchCall &call) {
  try {
    return Launch(call).go();
  } catch (const std::bad_alloc &) {
    return PyErr_NoMemory();
  }
}

PyMethodDef launchFunctions[] = {
    {"set_memory_helpers", setMemoryHelpers, METH_VARARGS, "set_memory_helpers(host_range, host_pointer)"},
    {"set_run_time_mark", keep<runTimeMark>, METH_O,
     "set_run_time_mark(object): what stands in the form of a tuple where an argument is passed."},
    {"set_named_form", keep<namedForm>, METH_O,
     "set_named_form(make): make(tuple, form) is the form of a tuple that is no plain one."},
    {"look_up_again", lookUpAgain, METH_NOARGS,
     "Kernels compiled under other knobs are not launched any more."},
    {"set_launch_hooks", setLaunchHooks, METH_O,
     "set_launch_hooks(knobs): the dict that holds `launch_enter_hook` and `launch_exit_hook`."},
    {nullptr, nullptr, 0, nullptr}};

} // namespace tegula::python
