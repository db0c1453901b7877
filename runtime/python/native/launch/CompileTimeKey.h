// The part of a launch that is fixed when a kernel is compiled, as a key: the values of `tl.constexpr`
// parameters and the options. 1, True and 1.0 are different, as are 0.0 and -0.0, and a NaN equals itself.
#pragma once

#include "runtime/python/native/Ref.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tegula::python {

/// The values of a launch in order, those that are not given null. On the stack of the launch; the values are
/// borrowed.
struct CompileTimeKey {
  PyObject **values;
  size_t count;
  uint64_t hash;
};

/// The hash of a value by its type and content. False with an exception set where `__hash__` raises anything
/// but a TypeError.
bool hashValue(PyObject *value, uint64_t &hash);
/// 1 where both are of the same type and equal, 0 where not, -1 with an exception set.
int sameValue(PyObject *a, PyObject *b);

/// From keys to objects that stand for compiled kernels.
class CompileTimeTable {
public:
  /// The object of `key`, or null: with an exception set where a comparison failed, without where there is
  /// none.
  Ref find(const CompileTimeKey &key);
  /// Remembers `object`. Values that can change are remembered as they are now.
  void add(const CompileTimeKey &key, PyObject *object);
  void clear();
  int traverse(visitproc visit, void *arg);

private:
  struct Entry {
    uint64_t hash = 0;
    std::vector<Ref> values;
    Ref object;
  };
  void grow();
  void place(size_t entry);

  uint64_t changes = 0; ///< how often something was added or dropped
  std::vector<Entry> entries;
  std::vector<uint32_t> places; ///< a power of two of them, 0 or the number of an entry plus one
};

} // namespace tegula::python
