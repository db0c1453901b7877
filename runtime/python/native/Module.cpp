// `tegula._native`: the C ABI of libtegula.so for Python, and the way of a launch.
#include "runtime/python/native/Parts.h"

#include "runtime/python/native/Errors.h"
#include "runtime/python/native/Interruptible.h"

#include <vector>

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
  return done(tegula_set_cache_folder(folder));
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
  return done(tegula_set_assembler_folders(paths.data(), paths.size()));
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
    {"set_cache_folder", setCacheFolder, METH_VARARGS,
     "set_cache_folder(folder): what is compiled is kept there from now on; \"\" keeps nothing."},
    {"set_assembler_folders", setAssemblerFolders, METH_VARARGS,
     "set_assembler_folders(folders): ptxas and nvJitLink are looked for there first."},
    {nullptr, nullptr, 0, nullptr}};

static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                 .m_name = "tegula._native",
                                 .m_doc = "The native half of tegula.",
                                 .m_size = -1,
                                 .m_methods = functions};

} // namespace tegula::python

// The name that Python looks for. NOLINTNEXTLINE(bugprone-reserved-identifier)
PyMODINIT_FUNC PyInit__native() {
  using namespace tegula::python;
  Ref module = Ref::take(PyModule_Create(&definition));
  if (!module || !addDeviceType(module.get()) || !addFabricType(module.get()) ||
      !addProgramTypes(module.get()) || !addKernelTypes(module.get()) || !addFunctionType(module.get()) ||
      !addEnums(module.get()) || !listenForSignals())
    return nullptr;
  for (PyMethodDef *more : {aheadFunctions, argumentFunctions, currentFunctions, errorFunctions,
                            interruptFunctions, kernelFunctions, launchFunctions})
    if (PyModule_AddFunctions(module.get(), more) != 0)
      return nullptr;
  return module.release();
}
