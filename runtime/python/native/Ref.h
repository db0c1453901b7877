// Python's C API as this extension uses it: the part that is stable from 3.10 on, and owned references.
#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030a0000
#include <Python.h>

#include <utility>

namespace tegula::python {

/// An owned reference, possibly null.
class Ref {
public:
  Ref() = default;
  /// Takes over what the caller owns.
  static Ref take(PyObject *object) {
    Ref ref;
    ref.object = object;
    return ref;
  }
  /// A reference more.
  static Ref share(PyObject *object) {
    Py_XINCREF(object);
    return take(object);
  }
  Ref(const Ref &other) : object(other.object) { Py_XINCREF(object); }
  Ref(Ref &&other) noexcept : object(std::exchange(other.object, nullptr)) {}
  Ref &operator=(Ref other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~Ref() { Py_XDECREF(object); }

  PyObject *get() const { return object; }
  PyObject *release() { return std::exchange(object, nullptr); }
  explicit operator bool() const { return object != nullptr; }

private:
  PyObject *object = nullptr;
};

/// A reference in a variable that lives as long as the process. It is never given back: the interpreter is
/// gone by the time destructors run.
class Kept {
public:
  void set(PyObject *value) { Ref::take(std::exchange(object, Ref::share(value).release())); }
  PyObject *get() const { return object; }
  explicit operator bool() const { return object != nullptr; }

private:
  PyObject *object = nullptr;
};

/// A function of the module that keeps the object it is given.
template <Kept &place> PyObject *keep(PyObject *, PyObject *object) {
  place.set(object);
  Py_RETURN_NONE;
}

/// Lets other Python threads run while it lives.
class WithoutGil {
public:
  WithoutGil() : state(PyEval_SaveThread()) {}
  ~WithoutGil() { PyEval_RestoreThread(state); }
  WithoutGil(const WithoutGil &) = delete;
  WithoutGil &operator=(const WithoutGil &) = delete;

private:
  PyThreadState *state;
};

/// Returns the result of `work`, during which other Python threads run.
template <typename Work> auto withoutGil(Work work) {
  const WithoutGil others;
  return work();
}

/// Returns a tuple of what `make(i)` returns for each place, each owned; empty with an exception set where
/// one is null.
template <typename Make> Ref tupleOf(size_t count, Make make) {
  Ref tuple = Ref::take(PyTuple_New(Py_ssize_t(count)));
  for (size_t i = 0; tuple && i < count; ++i) {
    PyObject *item = make(i);
    if (!item)
      return {};
    PyTuple_SetItem(tuple.get(), Py_ssize_t(i), item);
  }
  return tuple;
}

/// Sets an exception with a text as `PyErr_Format` makes it. Returns false.
template <typename... Args> bool refuse(PyObject *exception, const char *format, Args... args) {
  PyErr_Format(exception, format, args...);
  return false;
}

/// The strings that the launch path looks up, made once.
inline PyObject *interned(const char *text) { return PyUnicode_InternFromString(text); }

/// A function as the slots of a type specification take it.
template <typename Function> void *slot(Function *function) { return reinterpret_cast<void *>(function); }

/// A function with keywords as a method table takes it.
template <typename Function> PyCFunction method(Function *function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

} // namespace tegula::python
