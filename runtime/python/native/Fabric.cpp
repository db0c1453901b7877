// `_native.Fabric`: several emulated devices, and host programs for their ranks.
#include "runtime/python/native/Device.h"
#include "runtime/python/native/Errors.h"
#include "runtime/python/native/Parts.h"

namespace tegula::python {

using FabricState = Handle<tegula_fabric, tegula_fabric_close>;

static tegula_fabric *self(PyObject *object) { return stateOf<FabricState>(object); }

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *) {
  unsigned world = 0;
  unsigned long long resident = 0;
  if (!PyArg_ParseTuple(args, "IK:Fabric", &world, &resident))
    return nullptr;
  tegula_fabric_options options{};
  options.size = sizeof options;
  options.world = world;
  options.resident_blocks = resident;
  tegula_fabric *fabric = nullptr;
  if (tegula_error *error = tegula_fabric_create(&options, &fabric))
    return raise(error);
  return makeObject(type, FabricState(fabric));
}

static PyObject *device(PyObject *object, PyObject *args) {
  unsigned rank = 0;
  if (!PyArg_ParseTuple(args, "I:device", &rank))
    return nullptr;
  tegula_device *found = nullptr;
  if (tegula_error *error = tegula_fabric_get_device(self(object), rank, &found))
    return raise(error);
  return wrapDevice(found);
}

static PyObject *share(PyObject *object, PyObject *args) {
  unsigned rank = 0, number = 0;
  unsigned long long address = 0, bytes = 0;
  int isPad = 0;
  if (!PyArg_ParseTuple(args, "IIKKp:share", &rank, &number, &address, &bytes, &isPad))
    return nullptr;
  void *const memory = reinterpret_cast<void *>(static_cast<uintptr_t>(address));
  return done(tegula_fabric_share(self(object), rank, number, memory, size_t(bytes), isPad != 0));
}

/// Calls the Python function `context` on a thread of the fabric.
static bool callHost(void *context, uint32_t rank) {
  const PyGILState_STATE state = PyGILState_Ensure();
  bool isWell = false;
  {
    const Ref result = Ref::take(PyObject_CallFunction(static_cast<PyObject *>(context), "I", rank));
    isWell = result && PyObject_IsTrue(result.get()) == 1;
    if (!result)
      PyErr_WriteUnraisable(static_cast<PyObject *>(context));
  }
  PyGILState_Release(state);
  return isWell;
}

static PyObject *run(PyObject *object, PyObject *args) {
  unsigned long long seed = 0;
  int checksPads = 0;
  PyObject *host = nullptr;
  if (!PyArg_ParseTuple(args, "KpO:run", &seed, &checksPads, &host))
    return nullptr;
  uint32_t culprit = 0;
  tegula_error *error = withoutGil(
      [&] { return tegula_fabric_run(self(object), seed, checksPads != 0, callHost, host, &culprit); });
  if (!error)
    Py_RETURN_NONE;
  raise(error);
  return Py_BuildValue("(IN)", culprit, takeException().release());
}

static PyObject *meet(PyObject *object, PyObject *args) {
  int orders = 0;
  if (!PyArg_ParseTuple(args, "p:meet", &orders))
    return nullptr;
  return done(withoutGil([&] { return tegula_fabric_meet(self(object), orders != 0); }));
}

static PyMethodDef methods[] = {
    {"device", device, METH_VARARGS, "device(rank) -> Device"},
    {"share", share, METH_VARARGS, "share(rank, number, address, bytes, is_pad): until `run` ends."},
    {"run", run, METH_VARARGS,
     "run(seed, check_pads, host) -> None, or the rank at fault and the exception. `host(rank)` returns "
     "whether all went well."},
    {"meet", meet, METH_VARARGS, "meet(orders): waits for the hosts of all ranks."},
    {nullptr, nullptr, 0, nullptr}};

bool addFabricType(PyObject *module) {
  const Ref type = Ref::take(reinterpret_cast<PyObject *>(
      makeType<FabricState>("tegula._native.Fabric", create, methods,
                            {{Py_tp_doc, const_cast<char *>("Emulated devices that share memory.")}})));
  return type && PyModule_AddObjectRef(module, "Fabric", type.get()) == 0;
}

} // namespace tegula::python
