#include "runtime/python/native/Kernel.h"

#include "runtime/python/native/Errors.h"
#include "runtime/python/native/Interruptible.h"
#include "runtime/python/native/Parts.h"
#include "runtime/python/native/Values.h"
#include "runtime/python/native/launch/Arguments.h"
#include "runtime/python/native/launch/HostMemory.h"

#include <memory>
#include <string>

namespace tegula::python {

static PyTypeObject *kernelType = nullptr;
static PyTypeObject *variantType = nullptr;

namespace {
struct VariantState {
  Ref kernel; ///< whose program's functions of the host a late stage may call; None without
  Handle<tegula_variant, tegula_variant_free> variant;
};
} // namespace

static KernelState &kernelOf(PyObject *object) { return stateOf<KernelState>(object); }
static VariantState &variantOf(PyObject *object) { return stateOf<VariantState>(object); }

//===--- Kernel -----------------------------------------------------------------------------===//

PyObject *makeKernel(tegula_kernel *kernel, PyObject *program) {
  return makeObject(kernelType, KernelState{Ref::share(program), {}, kernel});
}

KernelObject *asKernel(PyObject *object) {
  if (PyObject_TypeCheck(object, kernelType))
    return reinterpret_cast<KernelObject *>(object);
  PyErr_SetString(PyExc_TypeError, "expected a tegula kernel");
  return nullptr;
}

static int traverseKernel(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(kernelOf(object).program.get());
  for (const KernelState::Loaded &each : kernelOf(object).loaded)
    Py_VISIT(each.compiled.get());
  return 0;
}

static int clearKernel(PyObject *object) {
  // Objects that go may run Python code, which finds the state without them.
  std::exchange(kernelOf(object).loaded, {});
  kernelOf(object).program = {};
  return 0;
}

static PyObject *parameters(PyObject *object, PyObject *) {
  size_t count = 0;
  const tegula_parameter *list = tegula_kernel_parameters(kernelOf(object).kernel, &count);
  return tupleOf(count, [&](size_t i) { return Py_BuildValue("(ss)", list[i].name, list[i].type); })
      .release();
}

static PyObject *wrapVariant(tegula_variant *variant, PyObject *kernel) {
  return makeObject(variantType, VariantState{Ref::share(kernel), variant});
}

namespace {
/// Inputs of a compilation. It owns all of them, since an interrupted caller leaves it alone.
struct Preparation {
  tegula_kernel *kernel;
  tegula_device *device;
  std::vector<tegula_argument> arguments;
  std::string entry; ///< empty for the name in the source
  tegula_variant *variant = nullptr;
  tegula_error *error = nullptr;
};
} // namespace

PyObject *prepareVariant(KernelObject *kernel, DeviceObject *device, const tegula_argument *arguments,
                         size_t count, const char *entry) {
  auto job = std::make_shared<Preparation>(Preparation{
      kernel->state.kernel, device->state.device, {arguments, arguments + count}, entry ? entry : ""});
  const bool finished = runInterruptibly([job] {
    job->error = tegula_kernel_prepare_as(job->kernel, job->device, job->arguments.data(),
                                          job->arguments.size(), job->entry.c_str(), &job->variant);
  });
  if (!finished) {
    // Kernel and device are kept for good: the work that goes on uses them.
    Py_INCREF(reinterpret_cast<PyObject *>(kernel));
    Py_INCREF(reinterpret_cast<PyObject *>(device));
    return nullptr;
  }
  return job->error ? raise(job->error) : wrapVariant(job->variant, reinterpret_cast<PyObject *>(kernel));
}

static PyObject *prepareTyped(PyObject *object, PyObject *args) {
  PyObject *device = nullptr, *types = nullptr;
  const char *entry = nullptr;
  if (!PyArg_ParseTuple(args, "OO!|z:prepare_typed", &device, &PyTuple_Type, &types, &entry))
    return nullptr;
  DeviceObject *on = device == Py_None ? nullptr : asDevice(device);
  if (device != Py_None && !on)
    return nullptr;
  std::vector<const char *> texts(size_t(PyTuple_Size(types)));
  for (size_t i = 0; i < texts.size(); ++i) {
    texts[i] = textOf(PyTuple_GetItem(types, Py_ssize_t(i)));
    if (!texts[i])
      return nullptr;
  }
  tegula_variant *variant = nullptr;
  tegula_error *error = withoutGil([&] {
    return tegula_kernel_prepare_typed_as(kernelOf(object).kernel,
                                          on ? static_cast<tegula_device *>(on->state.device) : nullptr,
                                          texts.data(), texts.size(), entry, &variant);
  });
  return error ? raise(error) : wrapVariant(variant, object);
}

static PyObject *loadVariant(PyObject *, PyObject *args) {
  PyObject *device = nullptr;
  const char *ptx = nullptr, *code = nullptr;
  Py_ssize_t ptxBytes = 0, codeBytes = 0;
  if (!PyArg_ParseTuple(args, "Os#z#:load", &device, &ptx, &ptxBytes, &code, &codeBytes))
    return nullptr;
  DeviceObject *on = asDevice(device);
  if (!on)
    return nullptr;
  tegula_variant *variant = nullptr;
  tegula_error *error = withoutGil([&] {
    return tegula_variant_load(on->state.device, ptx, size_t(ptxBytes), code, size_t(codeBytes), &variant);
  });
  return error ? raise(error) : wrapVariant(variant, Py_None);
}

static PyObject *program(PyObject *object, PyObject *) { return Ref(kernelOf(object).program).release(); }

static PyMethodDef kernelMethods[] = {
    {"program", program, METH_NOARGS, "The Program that it is of."},
    {"parameters", parameters, METH_NOARGS, "(name, type) of the parameters that a launch gives, in order."},
    {"prepare_typed", prepareTyped, METH_VARARGS,
     "prepare_typed(device or None, types, entry=None) -> Variant"},
    {nullptr, nullptr, 0, nullptr}};

//===--- Variant ----------------------------------------------------------------------------===//

static int traverseVariant(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(variantOf(object).kernel.get());
  return 0;
}

static int clearVariant(PyObject *object) {
  variantOf(object).kernel = {};
  return 0;
}

static PyObject *properties(PyObject *object, PyObject *) {
  tegula_variant_properties p{};
  p.size = sizeof p;
  tegula_variant_get_properties(variantOf(object).variant, &p);
  return Py_BuildValue("{s:s,s:s,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:N,s:N}", "kernel", p.kernel,
                       "entry", p.entry, "arch", p.arch, "num_warps", p.num_warps, "num_stages", p.num_stages,
                       "shared", p.shared_bytes, "registers", p.registers, "spill_bytes", p.spill_bytes,
                       "programs_per_block", p.programs_per_block, "implicit_arguments", p.implicit_arguments,
                       "threads", p.threads, "blocks_per_multiprocessor", p.blocks_per_multiprocessor,
                       "function", PyLong_FromVoidPtr(p.function), "module", PyLong_FromVoidPtr(p.module));
}

static PyObject *stage(PyObject *object, PyObject *args) {
  const char *name = nullptr;
  if (!PyArg_ParseTuple(args, "s:stage", &name))
    return nullptr;
  const char *text = nullptr;
  size_t bytes = 0;
  tegula_error *error =
      withoutGil([&] { return tegula_variant_stage(variantOf(object).variant, name, &text, &bytes); });
  return error ? raise(error) : PyBytes_FromStringAndSize(text, Py_ssize_t(bytes));
}

/// launch(device, grid, arguments, stream): launches exactly this variant, which was loaded on the device.
static PyObject *launch(PyObject *object, PyObject *args) {
  unsigned grid[3] = {1, 1, 1};
  PyObject *given = nullptr, *list = nullptr;
  unsigned long long stream = 0;
  if (!PyArg_ParseTuple(args, "O(III)O!K:launch", &given, &grid[0], &grid[1], &grid[2], &PyTuple_Type, &list,
                        &stream))
    return nullptr;
  DeviceObject *device = asDevice(given);
  if (!device)
    return nullptr;
  std::vector<tegula_argument> arguments(size_t(PyTuple_Size(list)));
  HostMemory hostMemory;
  for (size_t i = 0; i < arguments.size(); ++i) {
    PyObject *value = PyTuple_GetItem(list, Py_ssize_t(i));
    Classified classified = classify(value, arguments[i]);
    if (classified == Classified::CompileTime || classified == Classified::Tuple ||
        classified == Classified::Descriptor)
      PyErr_SetString(PyExc_TypeError, "a compiled kernel takes what is passed at run time only");
    if (classified != Classified::RunTime)
      return nullptr;
    if (device->state.isHost && arguments[i].kind == TEGULA_ARG_POINTER && !hostMemory.add(value))
      return nullptr;
  }
  const uint32_t sides[3] = {grid[0], grid[1], grid[2]};
  auto launchVariant = [&] {
    return tegula_variant_launch(variantOf(object).variant, sides, arguments.data(), arguments.size(),
                                 reinterpret_cast<void *>(static_cast<uintptr_t>(stream)));
  };
  tegula_error *error = withoutGil([&] { return hostMemory.during(device, launchVariant); });
  const bool shown = !device->state.isHost || showPrinted(device->state.device);
  if (error)
    return raise(error);
  if (!shown)
    return nullptr;
  Py_RETURN_NONE;
}

static PyMethodDef variantMethods[] = {
    {"properties", properties, METH_NOARGS, "What was compiled, as a dict."},
    {"stage", stage, METH_VARARGS, "stage(name) -> bytes: the text of a stage, or the machine code"},
    {"launch", launch, METH_VARARGS, "launch(device, grid, arguments, stream)"},
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef kernelFunctions[] = {
    {"load", loadVariant, METH_VARARGS,
     "load(device, ptx, code or None) -> Variant: a kernel from its PTX and its machine code"},
    {nullptr, nullptr, 0, nullptr}};

bool addKernelTypes(PyObject *module) {
  kernelType = makeType<KernelState>(
      "tegula._native.Kernel", refuseNew, kernelMethods,
      {{Py_tp_traverse, slot(traverseKernel)}, {Py_tp_clear, slot(clearKernel)}}, Py_TPFLAGS_HAVE_GC);
  variantType = makeType<VariantState>(
      "tegula._native.Variant", refuseNew, variantMethods,
      {{Py_tp_traverse, slot(traverseVariant)}, {Py_tp_clear, slot(clearVariant)}}, Py_TPFLAGS_HAVE_GC);
  return kernelType && variantType &&
         PyModule_AddObjectRef(module, "Variant", reinterpret_cast<PyObject *>(variantType)) == 0;
}

} // namespace tegula::python
