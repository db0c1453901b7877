// Objects of Python that hold a state of C++.
#pragma once

#include "runtime/python/native/Ref.h"

#include <initializer_list>
#include <new>
#include <utility>
#include <vector>

namespace tegula::python {

/// A handle of the C ABI, which `free` gives back.
template <typename T, void (*free)(T *)> class Handle {
public:
  Handle(T *handle) : handle(handle) {}
  Handle(Handle &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  ~Handle() { free(handle); }
  operator T *() const { return handle; }

private:
  T *handle;
};

template <typename State> struct Object {
  PyObject ob_base;
  State state;
};

template <typename State> State &stateOf(PyObject *object) {
  return reinterpret_cast<Object<State> *>(object)->state;
}

/// An object of `type` with this state; null with an exception set where there is no memory.
template <typename State> PyObject *makeObject(PyTypeObject *type, State state) {
  PyObject *object = PyType_GenericAlloc(type, 0);
  if (object)
    new (&stateOf<State>(object)) State(std::move(state));
  return object;
}

template <typename State> void deallocObject(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  if (PyType_GetFlags(type) & Py_TPFLAGS_HAVE_GC)
    PyObject_GC_UnTrack(object);
  stateOf<State>(object).~State();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

/// The type `name` of objects with this state, with `more` slots than the first three; null with an exception
/// set.
template <typename State>
PyTypeObject *makeType(const char *name, newfunc create, PyMethodDef *methods,
                       std::initializer_list<PyType_Slot> more = {}, unsigned long flags = 0) {
  std::vector<PyType_Slot> slots = {
      {Py_tp_new, slot(create)}, {Py_tp_dealloc, slot(deallocObject<State>)}, {Py_tp_methods, methods}};
  slots.insert(slots.end(), more);
  slots.push_back({0, nullptr});
  PyType_Spec spec = {name, sizeof(Object<State>), 0, unsigned(Py_TPFLAGS_DEFAULT | flags), slots.data()};
  return reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&spec));
}

/// The `new` of types whose objects only the library makes.
inline PyObject *refuseNew(PyTypeObject *, PyObject *, PyObject *) {
  return PyErr_Format(PyExc_TypeError, "objects of this type are made by the compiler only");
}

} // namespace tegula::python
