#include "runtime/python/native/Current.h"

#include "runtime/python/native/Parts.h"

#include <string>
#include <vector>

namespace tegula::python {

/// Called without arguments when nothing was chosen yet; it calls `use_device` or `use_torch`.
static Kept resolver;
static Kept fixedDevice, torchDevice, torchStream;
static long torchCount = 0;
/// Owned; a thread that sets it takes it back before it ends.
static thread_local PyObject *ownDevice = nullptr;

/// With None the resolver is asked again.
static PyObject *useDevice(PyObject *, PyObject *device) {
  if (device != Py_None && !asDevice(device))
    return nullptr;
  fixedDevice.set(device == Py_None ? nullptr : device);
  torchDevice.set(nullptr);
  Py_RETURN_NONE;
}

static PyObject *useDeviceHere(PyObject *, PyObject *device) {
  if (device != Py_None && !asDevice(device))
    return nullptr;
  Py_XDECREF(ownDevice);
  ownDevice = device == Py_None ? nullptr : Ref::share(device).release();
  Py_RETURN_NONE;
}

/// Launches go where these functions say.
static PyObject *useTorch(PyObject *, PyObject *args) {
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
  static auto &devices = *new std::vector<Kept>();
  if (ordinal < 0 || ordinal >= 1024)
    return PyErr_Format(PyExc_RuntimeError, "there is no CUDA device %ld", ordinal);
  if (devices.size() <= size_t(ordinal))
    devices.resize(size_t(ordinal) + 1);
  if (!devices[size_t(ordinal)]) {
    const Ref opened = Ref::take(openDevice(("cuda:" + std::to_string(ordinal)).c_str()));
    if (!opened)
      return nullptr;
    // Opening lets other threads run, of which one may have done the same.
    if (!devices[size_t(ordinal)])
      devices[size_t(ordinal)].set(opened.get());
  }
  return devices[size_t(ordinal)].get();
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

static PyObject *currentDeviceObject(PyObject *, PyObject *) {
  Current current;
  if (!currentDevice(current))
    return nullptr;
  return current.owner.release();
}

static PyObject *currentStream(PyObject *, PyObject *) {
  Current current;
  return currentDevice(current) ? PyLong_FromVoidPtr(current.stream) : nullptr;
}

PyMethodDef currentFunctions[] = {
    {"current_device", currentDeviceObject, METH_NOARGS, "The device that a launch would go to now."},
    {"current_stream", currentStream, METH_NOARGS,
     "The CUstream that a launch would go to now, as an integer."},
    {"use_device", useDevice, METH_O, "use_device(device or None): launches go to this device."},
    {"use_device_here", useDeviceHere, METH_O,
     "use_device_here(device or None): launches of this thread go to this device."},
    {"use_torch", useTorch, METH_VARARGS, "use_torch(current_device, current_stream, count)"},
    {"set_resolver", keep<resolver>, METH_O,
     "set_resolver(function): chooses the device when none is chosen."},
    {nullptr, nullptr, 0, nullptr}};

} // namespace tegula::python
