// Memory of the host that a launch on the emulator or the interpreter works on where it lies.
#pragma once

#include "runtime/python/native/Ref.h"

#include "runtime/api/tegula_c.h"

#include <vector>

namespace tegula::python {

/// The ranges of one launch.
class HostMemory {
public:
  /// Adds what `hostRange(value)` says: (start, bytes), or None for what needs no mapping. False with an
  /// exception set.
  bool add(PyObject *hostRange, PyObject *value);
  /// Maps all of them, or none where it fails.
  tegula_error *map(tegula_device *device);
  void unmap(tegula_device *device);

private:
  struct Range {
    void *start;
    size_t bytes;
  };
  std::vector<Range> ranges;
  size_t mapped = 0;
};

/// Writes what kernels have printed to `sys.stdout`. False with an exception set.
bool showPrinted(tegula_device *device);

} // namespace tegula::python
