// `tegula._native`: the C ABI of libtegula.so for Python, and the way of a launch.
#include "runtime/python/native/Ahead.h"
#include "runtime/python/native/Current.h"
#include "runtime/python/native/Enums.h"
#include "runtime/python/native/Errors.h"
#include "runtime/python/native/Fabric.h"
#include "runtime/python/native/Function.h"
#include "runtime/python/native/Interruptible.h"
#include "runtime/python/native/Kernel.h"
#include "runtime/python/native/Program.h"
#include "runtime/python/native/launch/Arguments.h"
#include "runtime/python/native/launch/Launch.h"

namespace tegula::python {

static PyObject *version(PyObject *, PyObject *) { return PyUnicode_FromString(tegula_version()); }
static PyObject *buildId(PyObject *, PyObject *) { return PyUnicode_FromString(tegula_build_id()); }

static PyObject *tritonVersions(PyObject *, PyObject *) {
  size_t count = 0;
  const tegula_triton_version *versions = tegula_triton_versions(&count);
  Ref all = Ref::take(PyDict_New());
  for (size_t i = 0; all && i < count; ++i) {
    Ref full = Ref::take(PyUnicode_FromString(versions[i].full));
    if (!full || PyDict_SetItemString(all.get(), versions[i].name, full.get()) != 0)
      return nullptr;
  }
  return all.release();
}

static PyObject *architectures(PyObject *, PyObject *) {
  size_t count = 0;
  const tegula_architecture *each = tegula_architectures(&count);
  Ref all = Ref::take(PyDict_New());
  for (size_t i = 0; all && i < count; ++i) {
    Ref number = Ref::take(PyLong_FromUnsignedLong(each[i].compute_major * 10 + each[i].compute_minor));
    Ref name = Ref::take(PyUnicode_FromString(each[i].name));
    if (!number || !name || PyDict_SetItem(all.get(), number.get(), name.get()) != 0)
      return nullptr;
  }
  return all.release();
}

static PyObject *assemble(PyObject *, PyObject *args) {
  const char *ptx = nullptr, *arch = nullptr;
  Py_ssize_t bytes = 0;
  if (!PyArg_ParseTuple(args, "s#s:assemble", &ptx, &bytes, &arch))
    return nullptr;
  char *code = nullptr;
  size_t codeBytes = 0;
  if (tegula_error *error =
          withoutGil([&] { return tegula_assemble(ptx, size_t(bytes), arch, &code, &codeBytes); }))
    return raise(error);
  PyObject *result = PyBytes_FromStringAndSize(code, Py_ssize_t(codeBytes));
  tegula_text_free(code);
  return result;
}

static PyObject *setCacheFolder(PyObject *, PyObject *args) {
  const char *folder = nullptr;
  if (!PyArg_ParseTuple(args, "z:set_cache_folder", &folder))
    return nullptr;
  if (tegula_error *error = tegula_set_cache_folder(folder))
    return raise(error);
  Py_RETURN_NONE;
}

static PyObject *setAssemblerFolders(PyObject *, PyObject *args) {
  PyObject *folders = nullptr;
  if (!PyArg_ParseTuple(args, "O!:set_assembler_folders", &PyTuple_Type, &folders))
    return nullptr;
  std::vector<const char *> paths(size_t(PyTuple_Size(folders)));
  for (size_t i = 0; i < paths.size(); ++i) {
    paths[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(folders, Py_ssize_t(i)), nullptr);
    if (!paths[i])
      return nullptr;
  }
  if (tegula_error *error = tegula_set_assembler_folders(paths.data(), paths.size()))
    return raise(error);
  Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"version", version, METH_NOARGS, "The version of the library that is loaded."},
    {"triton_versions", tritonVersions, METH_NOARGS,
     "The versions of Triton that may be imitated, the oldest first: {\"3.6\": \"3.6.0\", ...}."},
    {"architectures", architectures, METH_NOARGS,
     "What can be compiled for, by compute capability, the oldest first: {75: \"sm_75\", 90: \"sm_90a\", "
     "...}."},
    {"build_id", buildId, METH_NOARGS, "A text that changes with every build of the compiler."},
    {"assemble", assemble, METH_VARARGS, "assemble(ptx, arch) -> machine code"},
    {"load", loadVariant, METH_VARARGS,
     "load(device, ptx, code or None) -> Variant: a kernel from its PTX and its machine code"},
    {"set_cache_folder", setCacheFolder, METH_VARARGS,
     "set_cache_folder(folder): what is compiled is kept there from now on; \"\" keeps nothing."},
    {"set_assembler_folders", setAssemblerFolders, METH_VARARGS,
     "set_assembler_folders(folders): ptxas and nvJitLink are looked for there first."},
    {"load_bundle", loadBundle, METH_VARARGS, "load_bundle(path): compilations find their results there."},
    {"load_kernels_of_bundles", loadKernelsOfBundles, METH_O,
     "load_kernels_of_bundles(device) -> how many were loaded"},
    {"freeze", freeze, METH_NOARGS, "From now on a launch must find its kernel loaded."},
    {"thaw", thaw, METH_NOARGS, "Ends what freeze began."},
    {"is_frozen", isFrozen, METH_NOARGS, "Whether a launch must find its kernel loaded."},
    {"cache_counts", cacheCounts, METH_NOARGS, "Where kernels and choices of tuners came from, as a dict."},
    {"communicates", communicates, METH_VARARGS,
     "communicates(ptx): whether it has accesses or fences of system scope."},
    {"note_tuned", noteTuned, METH_VARARGS, "note_tuned(kernel, config, measured): counts a choice."},
    {"record_note", recordNote, METH_VARARGS,
     "record_note(name, text): for a bundle, where TEGULA_RECORD is set."},
    {"bundle_note", bundleNote, METH_VARARGS, "bundle_note(name) -> the text that a bundle has, or None"},
    {"current_device", currentDeviceObject, METH_NOARGS, "The device that a launch would go to now."},
    {"current_stream", currentStream, METH_NOARGS,
     "The CUstream that a launch would go to now, as an integer."},
    {"use_device", useDevice, METH_O, "use_device(device or None): launches go to this device."},
    {"use_device_here", useDeviceHere, METH_O,
     "use_device_here(device or None): launches of this thread go to this device."},
    {"use_torch", useTorch, METH_VARARGS, "use_torch(current_device, current_stream, count)"},
    {"use_tensor_type", useTensorType, METH_VARARGS,
     "use_tensor_type(types, data_ptr, dtype, is_cuda, get_device, codes)"},
    {"set_main_thread", setMainThread, METH_O,
     "set_main_thread(identifier): the thread that handles signals."},
    {"wait_for_abandoned", waitForAbandoned, METH_NOARGS,
     "Waits for compilations that Ctrl-C has left alone."},
    {"set_resolver", setResolver, METH_O, "set_resolver(function): chooses the device when none is chosen."},
    {"set_error_factory", setErrorFactory, METH_O,
     "set_error_factory(make): make(kind, text, diagnostics, resource)."},
    {"set_argument_helpers", setArgumentHelpers, METH_VARARGS, "set_argument_helpers(identify, dtype_code)"},
    {"set_memory_helpers", setMemoryHelpers, METH_VARARGS, "set_memory_helpers(host_range, host_pointer)"},
    {"set_run_time_mark", setRunTimeMark, METH_O,
     "set_run_time_mark(object): what stands in the form of a tuple where an argument is passed."},
    {"set_named_form", setNamedForm, METH_O,
     "set_named_form(make): make(tuple, form) is the form of a tuple that is no plain one."},
    {"look_up_again", lookUpAgain, METH_NOARGS,
     "Kernels compiled under other knobs are not launched any more."},
    {"set_launch_hooks", setLaunchHooks, METH_O,
     "set_launch_hooks(knobs): the dict that holds `launch_enter_hook` and `launch_exit_hook`."},
    {nullptr, nullptr, 0, nullptr}};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                 "tegula._native",
                                 "The native half of tegula.",
                                 -1,
                                 functions,
                                 nullptr,
                                 nullptr,
                                 nullptr,
                                 nullptr};

} // namespace tegula::python

// The name that Python looks for. NOLINTNEXTLINE(bugprone-reserved-identifier)
PyMODINIT_FUNC PyInit__native() {
  using namespace tegula::python;
  Ref module = Ref::take(PyModule_Create(&definition));
  if (!module || !addDeviceType(module.get()) || !addFabricType(module.get()) ||
      !addProgramTypes(module.get()) || !addKernelTypes(module.get()) || !addFunctionType(module.get()) ||
      !addEnums(module.get()) || !listenForSignals())
    return nullptr;
  return module.release();
}
