// `_native.Builder`, which collects sources and what their names mean, and the `_native.Program` that it
// makes.
#include "runtime/python/native/Errors.h"
#include "runtime/python/native/Kernel.h"
#include "runtime/python/native/Parts.h"
#include "runtime/python/native/Values.h"

namespace tegula::python {

namespace {
struct BuilderState {
  std::vector<Ref> functions; ///< of the host that its programs call
  Handle<tegula_builder, tegula_builder_free> builder;
};

struct ProgramState {
  Ref builder; ///< whose functions of the host the program calls
  Handle<tegula_program, tegula_program_free> program;
};
} // namespace

static PyTypeObject *programType = nullptr;

//===--- Builder ----------------------------------------------------------------------------===//

static BuilderState &builderOf(PyObject *object) { return stateOf<BuilderState>(object); }
static ProgramState &programOf(PyObject *object) { return stateOf<ProgramState>(object); }

static PyObject *createBuilder(PyTypeObject *type, PyObject *, PyObject *) {
  return makeObject(type, BuilderState{{}, tegula_builder_create()});
}

static PyObject *addSource(PyObject *object, PyObject *args) {
  const char *path = nullptr, *text = nullptr;
  Py_ssize_t bytes = 0;
  unsigned line = 0;
  if (!PyArg_ParseTuple(args, "ss#I:add_source", &path, &text, &bytes, &line))
    return nullptr;
  uint32_t source = 0;
  if (tegula_error *error =
          tegula_builder_add_source(builderOf(object).builder, path, text, size_t(bytes), line, &source))
    return raise(error);
  return PyLong_FromUnsignedLong(source);
}

static PyObject *bind(PyObject *object, PyObject *args) {
  unsigned source = 0;
  const char *name = nullptr;
  PyObject *tuple = nullptr;
  if (!PyArg_ParseTuple(args, "IsO!:bind", &source, &name, &PyTuple_Type, &tuple))
    return nullptr;
  ValueArena arena(&builderOf(object).functions);
  tegula_value value{};
  if (!arena.read(tuple, value))
    return nullptr;
  return done(tegula_builder_bind(builderOf(object).builder, source, name, &value));
}

static PyObject *finish(PyObject *object, PyObject *args) {
  unsigned entry = 0;
  if (!PyArg_ParseTuple(args, "I:finish", &entry))
    return nullptr;
  tegula_program *program = nullptr;
  if (tegula_error *error =
          withoutGil([&] { return tegula_builder_finish(builderOf(object).builder, entry, &program); }))
    return raise(error);
  return makeObject(programType, ProgramState{Ref::share(object), program});
}

static PyMethodDef builderMethods[] = {
    {"add_source", addSource, METH_VARARGS, "add_source(path, text, first_line) -> its number"},
    {"bind", bind, METH_VARARGS, "bind(source, name, value): what a name of the source means"},
    {"finish", finish, METH_VARARGS, "finish(entry) -> Program"},
    {nullptr, nullptr, 0, nullptr}};

//===--- Program ----------------------------------------------------------------------------===//

static PyObject *kernelNames(PyObject *object, PyObject *) {
  const tegula_program *program = programOf(object).program;
  return tupleOf(tegula_program_kernel_count(program),
                 [&](size_t i) { return PyUnicode_FromString(tegula_program_kernel_name(program, i)); })
      .release();
}

static PyObject *takeMessages(PyObject *object, PyObject *) {
  Ref list = Ref::take(PyList_New(0));
  if (!list)
    return nullptr;
  auto take = [](void *context, const tegula_diagnostic *message) {
    Ref tuple = Ref::take(diagnosticTuple(*message));
    if (!tuple || PyList_Append(static_cast<PyObject *>(context), tuple.get()) != 0)
      PyErr_Clear();
  };
  tegula_program_take_messages(programOf(object).program, take, list.get());
  return list.release();
}

/// kernel(name, constexprs, **options): a kernel with the compile-time values in `constexprs`, a tuple of
/// (name, value). The options are named as in `tegula_kernel_options`.
static PyObject *kernel(PyObject *object, PyObject *args, PyObject *keywords) {
  tegula_kernel_options options{};
  options.size = sizeof options;
  PyObject *constexprs = nullptr, *libraries = nullptr;
  int debug = 0, noFpFusion = 0, cooperative = 0, pdl = 0, noOverflowChecks = 0;
  static const char *const names[] = {"",
                                      "",
                                      "num_warps",
                                      "num_stages",
                                      "max_registers",
                                      "debug",
                                      "no_fp_fusion",
                                      "arch",
                                      "launch_cooperative_grid",
                                      "launch_pdl",
                                      "without",
                                      "no_overflow_checks",
                                      "triton_version",
                                      "dot_precision",
                                      "num_ctas",
                                      "extern_libs",
                                      nullptr};
  if (!PyArg_ParseTupleAndKeywords(
          args, keywords, "zO!|$IIIppzppzpzzIO!:kernel", const_cast<char **>(names), &options.name,
          &PyTuple_Type, &constexprs, &options.num_warps, &options.num_stages, &options.max_registers, &debug,
          &noFpFusion, &options.arch, &cooperative, &pdl, &options.without, &noOverflowChecks,
          &options.triton_version, &options.dot_precision, &options.num_ctas, &PyTuple_Type, &libraries))
    return nullptr;
  options.debug = debug != 0;
  options.no_overflow_checks = noOverflowChecks != 0;
  options.no_fp_fusion = noFpFusion != 0;
  options.launch_cooperative_grid = cooperative != 0;
  options.launch_pdl = pdl != 0;

  std::vector<tegula_extern_library> files(libraries ? size_t(PyTuple_Size(libraries)) : 0);
  for (size_t i = 0; i < files.size(); ++i)
    if (!PyArg_ParseTuple(PyTuple_GetItem(libraries, Py_ssize_t(i)), "ss", &files[i].name, &files[i].path))
      return nullptr;
  options.extern_libs = files.data();
  options.extern_lib_count = files.size();

  ValueArena arena(&builderOf(programOf(object).builder.get()).functions);
  std::vector<tegula_named_value> values(size_t(PyTuple_Size(constexprs)));
  for (size_t i = 0; i < values.size(); ++i) {
    const char *name = nullptr;
    PyObject *tuple = nullptr;
    if (!PyArg_ParseTuple(PyTuple_GetItem(constexprs, Py_ssize_t(i)), "sO!", &name, &PyTuple_Type, &tuple) ||
        !arena.read(tuple, values[i].value))
      return nullptr;
    values[i].name = name;
  }
  options.constexprs = values.data();
  options.constexpr_count = values.size();

  tegula_kernel *kernel = nullptr;
  tegula_error *error =
      withoutGil([&] { return tegula_kernel_create(programOf(object).program, &options, &kernel); });
  return error ? raise(error) : makeKernel(kernel, object);
}

static PyMethodDef programMethods[] = {
    {"kernel_names", kernelNames, METH_NOARGS, "The kernels of the program, in the order of its text."},
    {"kernel", method(kernel), METH_VARARGS | METH_KEYWORDS,
     "kernel(name, constexprs, **options): options of which nothing is said have their defaults"},
    {"take_messages", takeMessages, METH_NOARGS,
     "The warnings and static prints of the compilations since the last call."},
    {nullptr, nullptr, 0, nullptr}};

bool addProgramTypes(PyObject *module) {
  const Ref builder = Ref::take(reinterpret_cast<PyObject *>(
      makeType<BuilderState>("tegula._native.Builder", createBuilder, builderMethods)));
  programType = makeType<ProgramState>("tegula._native.Program", refuseNew, programMethods);
  return builder && programType && PyModule_AddObjectRef(module, "Builder", builder.get()) == 0;
}

} // namespace tegula::python
