#include "runtime/python/native/launch/HostMemory.h"

#include <cstring>

namespace tegula::python {

static Kept hostRange;

void setHostRange(PyObject *function) { hostRange.set(function); }

bool HostMemory::add(PyObject *value) {
  Ref range = Ref::take(PyObject_CallFunctionObjArgs(hostRange.get(), value, nullptr));
  if (!range)
    return false;
  if (range.get() == Py_None)
    return true;
  unsigned long long start = 0, bytes = 0;
  int isReadOnly = 0;
  if (!PyArg_ParseTuple(range.get(), "KKp", &start, &bytes, &isReadOnly))
    return false;
  if (bytes)
    ranges.push_back(
        {reinterpret_cast<void *>(static_cast<uintptr_t>(start)), size_t(bytes), isReadOnly != 0});
  return true;
}

tegula_error *HostMemory::map(tegula_device *device) {
  for (; mapped < ranges.size(); ++mapped) {
    const Range &range = ranges[mapped];
    if (tegula_error *error = range.isReadOnly
                                  ? tegula_device_map_host_to_read(device, range.start, range.bytes)
                                  : tegula_device_map_host(device, range.start, range.bytes))
      return error;
  }
  return nullptr;
}

void HostMemory::unmap(tegula_device *device) {
  while (mapped > 0) {
    --mapped;
    // It was mapped, so that this cannot fail.
    tegula_error_free(tegula_device_unmap_host(device, ranges[mapped].start, ranges[mapped].bytes));
  }
}

static bool writePrinted(tegula_device *device) {
  char *text = tegula_device_take_printed(device);
  if (!text)
    return true;
  Ref string = Ref::take(PyUnicode_DecodeUTF8(text, Py_ssize_t(std::strlen(text)), "replace"));
  tegula_text_free(text);
  if (!string)
    return false;
  PyObject *out = PySys_GetObject("stdout");
  if (!out || out == Py_None || PyUnicode_GetLength(string.get()) == 0)
    return true;
  return PyFile_WriteObject(string.get(), out, Py_PRINT_RAW) == 0;
}

bool showPrinted(tegula_device *device) {
  // An exception that a signal handler has raised during the launch comes first.
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  const bool isWritten = writePrinted(device);
  if (type)
    PyErr_Restore(type, value, traceback);
  return isWritten && !type;
}

} // namespace tegula::python
