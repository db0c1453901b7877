#include "runtime/python/native/Current.h"

#include <string>
#include <vector>

namespace tegula::python {

static Kept resolver, fixedDevice, torchDevice, torchStream;
static long torchCount = 0;
/// Owned; a thread that sets it takes it back before it ends.
static thread_local PyObject *ownDevice = nullptr;
static std::vector<PyObject *> &cudaDevices() {
  static auto *devices = new std::vector<PyObject *>(); // never given back, as `Kept` says
  return *devices;
}

PyObject *setResolver(PyObject *, PyObject *function) {
  resolver.set(function);
  Py_RETURN_NONE;
}

PyObject *useDevice(PyObject *, PyObject *device) {
  if (device != Py_None && !asDevice(device))
    return nullptr;
  fixedDevice.set(device == Py_None ? nullptr : device);
  torchDevice.set(nullptr);
  Py_RETURN_NONE;
}

PyObject *useDeviceHere(PyObject *, PyObject *device) {
  if (device != Py_None && !asDevice(device))
    return nullptr;
  Py_XDECREF(ownDevice);
  ownDevice = device == Py_None ? nullptr : Ref::share(device).release();
  Py_RETURN_NONE;
}

PyObject *useTorch(PyObject *, PyObject *args) {
  PyObject *device = nullptr, *stream = nullptr;
  long count = 0;
  if (!PyArg_ParseTuple(args, "OOl:use_torch", &device, &stream, &count))
    return nullptr;
  torchDevice.set(device);
  torchStream.set(stream);
  torchCount = count;
  fixedDevice.set(nullptr);
  Py_RETURN_NONE;
}

/// The device of that number, opened when it is first asked for.
static PyObject *cudaDevice(long ordinal) {
  std::vector<PyObject *> &devices = cudaDevices();
  if (ordinal < 0 || ordinal >= 1024)
    return PyErr_Format(PyExc_RuntimeError, "there is no CUDA device %ld", ordinal);
  if (devices.size() <= size_t(ordinal))
    devices.resize(size_t(ordinal) + 1, nullptr);
  if (!devices[size_t(ordinal)]) {
    PyObject *opened = openDevice(("cuda:" + std::to_string(ordinal)).c_str());
    if (!opened)
      return nullptr;
    // Opening lets other threads run, of which one may have done the same.
    PyObject *&place = devices[size_t(ordinal)];
    if (place)
      Py_DECREF(opened);
    else
      place = opened;
  }
  return devices[size_t(ordinal)];
}

static void setDevice(Current &current, PyObject *device) {
  current.owner = Ref::share(device);
  current.device = reinterpret_cast<DeviceObject *>(device);
}

static bool askTorch(Current &current) {
  // Other threads run while Python code does, and may choose anew.
  const Ref device = Ref::share(torchDevice.get()), streams = Ref::share(torchStream.get());
  Ref ordinal = Ref::take(PyObject_CallFunctionObjArgs(device.get(), nullptr));
  Ref stream;
  if (ordinal)
    stream = Ref::take(PyObject_CallFunctionObjArgs(streams.get(), ordinal.get(), nullptr));
  if (!stream)
    return false;
  current.ordinal = PyLong_AsLong(ordinal.get());
  current.stream = PyLong_AsVoidPtr(stream.get());
  current.severalDevices = torchCount > 1;
  if (PyErr_Occurred())
    return false;
  PyObject *opened = cudaDevice(current.ordinal);
  setDevice(current, opened);
  return opened != nullptr;
}

bool currentDevice(Current &current) {
  if (ownDevice) {
    setDevice(current, ownDevice);
    return true;
  }
  // A thread that chooses anew meanwhile takes back what the resolver has just said to this one.
  while (!fixedDevice && !torchDevice) {
    if (!resolver)
      return refuse(PyExc_RuntimeError, "tegula.runtime.devices was not imported");
    Ref done = Ref::take(PyObject_CallFunctionObjArgs(resolver.get(), nullptr));
    if (!done)
      return false;
  }
  if (torchDevice)
    return askTorch(current);
  setDevice(current, fixedDevice.get());
  return true;
}

PyObject *currentDeviceObject(PyObject *, PyObject *) {
  Current current;
  if (!currentDevice(current))
    return nullptr;
  return current.owner.release();
}

PyObject *currentStream(PyObject *, PyObject *) {
  Current current;
  return currentDevice(current) ? PyLong_FromVoidPtr(current.stream) : nullptr;
}

} // namespace tegula::python
