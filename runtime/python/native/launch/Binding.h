// The arguments of a call as values of a kernel's parameters and options, and its grid.
#pragma once

#include "runtime/python/native/FunctionState.h"
#include "runtime/python/native/Ref.h"

#include <algorithm>
#include <memory>

namespace tegula::python {

/// A call as CPython hands it over: `count` positional arguments, then those that `names` names. Nothing is
/// owned.
struct LaunchCall {
  FunctionObject *function = nullptr;
  PyObject *grid = nullptr; ///< null until the keyword `grid` was seen
  PyObject *const *args = nullptr;
  Py_ssize_t count = 0;
  PyObject *names = nullptr;
  bool isRun = false;         ///< the keywords `grid` and `warmup` are the call's own
  bool onlyEstimates = false; ///< nothing is compiled or launched
};

/// An array whose size is known late and hardly ever large.
template <typename T, size_t Inline> class SmallArray {
public:
  explicit SmallArray(size_t size)
      : count(size > Inline ? size : Inline), heap(size > Inline ? new T[size] : nullptr) {}
  T *data() { return heap ? heap.get() : storage; }
  T &operator[](size_t i) { return data()[i]; }
  /// Returns the number of places.
  size_t size() const { return count; }
  /// Makes room for more, and keeps the first `used`.
  void grow(size_t size, size_t used) {
    std::unique_ptr<T[]> larger(new T[size]);
    std::copy_n(data(), used, larger.get());
    heap = std::move(larger);
    count = size;
  }

private:
  size_t count;
  T storage[Inline]; // deliberately not initialised
  std::unique_ptr<T[]> heap;
};

/// The values of a call: of each parameter, then of each option, those that are not given null. Borrowed from
/// the call and from the defaults.
struct Binding {
  explicit Binding(const FunctionState &state)
      : parameterCount(state.parameters.size()), count(parameterCount + state.options.size()), values(count) {
  }

  size_t parameterCount, count;
  SmallArray<PyObject *, 64> values;
  Ref rest; ///< the tuple of what `*rest` gathers; null where the kernel has none
  PyObject *grid = nullptr;
  bool warmup = false;
};

/// Fills the values. False with Python's own TypeError set for arguments that are missing, double or too
/// many, with a KeyError for a keyword that is neither parameter nor option.
bool bind(const LaunchCall &call, Binding &binding);

/// The values of all parameters and options by name, as a grid's function sees them. A new dict.
PyObject *boundValues(const FunctionState &state, Binding &binding);

/// Reads a grid: an integer, or a tuple or list of one to three. False with an exception set: ValueError for
/// more sides, for negative ones and those past 2^32 - 1, TypeError for what is no integer.
bool readGrid(PyObject *object, uint32_t (&grid)[3]);

} // namespace tegula::python
