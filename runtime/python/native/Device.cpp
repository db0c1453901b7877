#include "runtime/python/native/Device.h"

#include "runtime/python/native/Errors.h"
#include "runtime/python/native/Parts.h"

#include <cstring>
#include <string_view>

namespace tegula::python {

static PyTypeObject *deviceType = nullptr;

static tegula_device *self(PyObject *object) { return stateOf<DeviceState>(object).device; }

DeviceObject *asDevice(PyObject *object) {
  if (PyObject_TypeCheck(object, deviceType))
    return reinterpret_cast<DeviceObject *>(object);
  PyErr_SetString(PyExc_TypeError, "expected a tegula device");
  return nullptr;
}

static tegula_device_properties propertiesOf(const tegula_device *device) {
  tegula_device_properties properties{};
  properties.size = sizeof properties;
  tegula_device_get_properties(device, &properties);
  return properties;
}

PyObject *openDevice(const char *kind) {
  tegula_device *device = nullptr;
  if (tegula_error *error = withoutGil([&] { return tegula_device_open(kind, &device); }))
    return raise(error);
  return wrapDevice(device);
}

PyObject *wrapDevice(tegula_device *device) {
  const bool isHost = std::string_view(propertiesOf(device).kind) != "cuda";
  return makeObject(deviceType, DeviceState{device, isHost});
}

static PyObject *create(PyTypeObject *, PyObject *args, PyObject *) {
  const char *kind = nullptr;
  if (!PyArg_ParseTuple(args, "|z:Device", &kind))
    return nullptr;
  return openDevice(kind);
}

static PyObject *properties(PyObject *object, PyObject *) {
  tegula_device_properties p = propertiesOf(self(object));
  return Py_BuildValue("{s:s,s:s,s:s,s:s,s:i,s:(II),s:I,s:I,s:I,s:I,s:I,s:(III),s:K,s:K}", "name", p.name,
                       "kind", p.kind, "arch", p.arch, "driver", p.driver, "ordinal", p.ordinal, "capability",
                       p.compute_major, p.compute_minor, "multiprocessors", p.multiprocessors, "warp_size",
                       p.warp_size, "max_threads_per_block", p.max_threads_per_block, "max_shared_per_block",
                       p.max_shared_per_block, "registers_per_multiprocessor", p.registers_per_multiprocessor,
                       "max_grid", p.max_grid[0], p.max_grid[1], p.max_grid[2], "total_memory",
                       static_cast<unsigned long long>(p.total_memory), "l2_bytes",
                       static_cast<unsigned long long>(p.l2_bytes));
}

static PyObject *allocate(PyObject *object, PyObject *args) {
  unsigned long long bytes = 0;
  if (!PyArg_ParseTuple(args, "K:allocate", &bytes))
    return nullptr;
  uint64_t address = 0;
  if (tegula_error *error = tegula_device_allocate(self(object), bytes, &address))
    return raise(error);
  return PyLong_FromUnsignedLongLong(address);
}

static PyObject *release(PyObject *object, PyObject *args) {
  unsigned long long address = 0;
  if (!PyArg_ParseTuple(args, "K:free", &address))
    return nullptr;
  return done(withoutGil([&] { return tegula_device_free(self(object), address); }));
}

static PyObject *upload(PyObject *object, PyObject *args) {
  unsigned long long address = 0;
  const char *from = nullptr;
  Py_ssize_t bytes = 0;
  if (!PyArg_ParseTuple(args, "Ky#:upload", &address, &from, &bytes))
    return nullptr;
  return done(withoutGil([&] { return tegula_device_upload(self(object), address, from, size_t(bytes)); }));
}

static PyObject *download(PyObject *object, PyObject *args) {
  unsigned long long address = 0;
  Py_ssize_t bytes = 0;
  if (!PyArg_ParseTuple(args, "Kn:download", &address, &bytes))
    return nullptr;
  Ref data = Ref::take(PyBytes_FromStringAndSize(nullptr, bytes));
  if (!data)
    return nullptr;
  char *const to = PyBytes_AsString(data.get());
  if (tegula_error *error =
          withoutGil([&] { return tegula_device_download(self(object), to, address, size_t(bytes)); }))
    return raise(error);
  return data.release();
}

static PyObject *synchronize(PyObject *object, PyObject *) {
  return done(withoutGil([&] { return tegula_device_synchronize(self(object)); }));
}

static PyObject *takePrinted(PyObject *object, PyObject *) {
  char *text = tegula_device_take_printed(self(object));
  PyObject *result = PyUnicode_DecodeUTF8(text ? text : "", text ? Py_ssize_t(strlen(text)) : 0, "replace");
  tegula_text_free(text);
  return result;
}

static PyMethodDef methods[] = {
    {"properties", properties, METH_NOARGS, "What the device is, as a dict."},
    {"allocate", allocate, METH_VARARGS, "allocate(bytes) -> address"},
    {"free", release, METH_VARARGS, "free(address)"},
    {"upload", upload, METH_VARARGS, "upload(address, data: bytes)"},
    {"download", download, METH_VARARGS, "download(address, bytes) -> bytes"},
    {"synchronize", synchronize, METH_NOARGS, "Waits for all work; raises the first fault among it."},
    {"take_printed", takePrinted, METH_NOARGS, "What kernels have printed since the last call."},
    {nullptr, nullptr, 0, nullptr}};

bool addDeviceType(PyObject *module) {
  deviceType = makeType<DeviceState>(
      "tegula._native.Device", create, methods,
      {{Py_tp_doc, const_cast<char *>("A machine that runs kernels, opened by its kind.")}});
  return deviceType && PyModule_AddObjectRef(module, "Device", reinterpret_cast<PyObject *>(deviceType)) == 0;
}

} // namespace tegula::python
