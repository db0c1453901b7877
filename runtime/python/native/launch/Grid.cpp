#include "runtime/python/native/launch/Grid.h"

namespace tegula::python {

static bool readSide(PyObject *object, uint32_t &side) {
  Ref number = Ref::take(PyNumber_Index(object));
  if (!number)
    return false;
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
  if (overflow == 0 && value == -1 && PyErr_Occurred())
    return false;
  if (overflow != 0 || value < 0 || value > int64_t(UINT32_MAX))
    return refuse(PyExc_ValueError, "expected a side of the grid from 0 to 4294967295, found %S",
                  number.get());
  side = uint32_t(value);
  return true;
}

bool readGrid(PyObject *object, uint32_t (&grid)[3]) {
  grid[0] = grid[1] = grid[2] = 1;
  const bool isTuple = PyTuple_Check(object);
  if (!isTuple && !PyList_Check(object))
    return readSide(object, grid[0]);
  const Py_ssize_t count = isTuple ? PyTuple_Size(object) : PyList_Size(object);
  if (count < 1 || count > 3)
    return refuse(PyExc_ValueError, "expected a grid of 1 to 3 sides, found %zd", count);
  for (Py_ssize_t i = 0; i < count; ++i) {
    Ref side = Ref::share(isTuple ? PyTuple_GetItem(object, i) : PyList_GetItem(object, i));
    if (!side || !readSide(side.get(), grid[i]))
      return false;
  }
  return true;
}

} // namespace tegula::python
