#include "runtime/python/native/launch/CompileTimeKey.h"

#include <bit>
#include <cstring>

namespace tegula::python {

static uint64_t mix(uint64_t state, uint64_t word) {
  return std::rotl((state ^ word) * 0xff51afd7ed558ccdull, 29);
}

static uint64_t bitsOf(PyObject *number) { return std::bit_cast<uint64_t>(PyFloat_AsDouble(number)); }

bool hashValue(PyObject *value, uint64_t &hash) {
  if (!value) {
    hash = 0;
    return true;
  }
  PyTypeObject *type = Py_TYPE(value);
  hash = reinterpret_cast<uintptr_t>(type) >> 4;
  if (type == &PyLong_Type) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    hash = mix(hash, uint64_t(number) + uint64_t(overflow));
    return true;
  }
  if (type == &PyBool_Type || value == Py_None) {
    hash = mix(hash, reinterpret_cast<uintptr_t>(value));
    return true;
  }
  if (type == &PyFloat_Type) {
    hash = mix(hash, bitsOf(value));
    return true;
  }
  // A tuple's own hash is of the values alone; which types they have is told by the comparison.
  const Py_hash_t own = PyObject_Hash(value);
  if (own != -1) {
    hash = mix(hash, uint64_t(own));
    return true;
  }
  if (!PyErr_ExceptionMatches(PyExc_TypeError))
    return false;
  PyErr_Clear(); // a list: told from others by the comparison
  return true;
}

static int sameElements(PyObject *a, PyObject *b) {
  const Py_ssize_t count = PyTuple_Size(a);
  if (count != PyTuple_Size(b))
    return 0;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (int same = sameValue(PyTuple_GetItem(a, i), PyTuple_GetItem(b, i)); same != 1)
      return same;
  return 1;
}

static int sameItems(PyObject *a, PyObject *b) {
  const Py_ssize_t count = PyList_Size(a);
  if (count != PyList_Size(b))
    return 0;
  for (Py_ssize_t i = 0; i < count && i < PyList_Size(a) && i < PyList_Size(b); ++i)
    if (int same = sameValue(PyList_GetItem(a, i), PyList_GetItem(b, i)); same != 1)
      return same;
  return 1;
}

int sameValue(PyObject *a, PyObject *b) {
  if (!a || !b)
    return a == b;
  PyTypeObject *type = Py_TYPE(a);
  if (type != Py_TYPE(b))
    return 0;
  if (a == b)
    return 1;
  if (type == &PyFloat_Type)
    return bitsOf(a) == bitsOf(b);
  if (PyTuple_Check(a))
    return sameElements(a, b);
  if (type == &PyList_Type)
    return sameItems(a, b);
  return PyObject_RichCompareBool(a, b, Py_EQ);
}

Ref CompileTimeTable::find(const CompileTimeKey &key) {
  if (places.empty())
    return {};
  const size_t mask = places.size() - 1;
  for (size_t at = key.hash & mask; places[at & mask]; ++at) {
    const size_t number = places[at & mask] - 1;
    if (entries[number].hash != key.hash || entries[number].values.size() != key.count)
      continue;
    bool same = true;
    for (size_t i = 0; same && i < key.count; ++i) {
      // A list is kept as a copy, so that what is identical is the same.
      if (entries[number].values[i] == key.values[i])
        continue;
      // A comparison may run Python code, which may change this table.
      Ref kept = Ref::share(entries[number].values[i]);
      const uint64_t before = changes;
      const int answer = sameValue(kept.get(), key.values[i]);
      if (answer < 0)
        return {};
      if (changes != before)
        return find(key);
      same = answer == 1;
    }
    if (same)
      return Ref::share(entries[number].object);
  }
  return {};
}

/// A copy of what can change: lists, also within lists.
static PyObject *frozen(PyObject *value) {
  if (!value || !PyList_CheckExact(value))
    return Ref::share(value).release();
  const Py_ssize_t count = PyList_Size(value);
  PyObject *copy = PyList_New(count);
  if (!copy) {
    PyErr_Clear();
    return Ref::share(value).release();
  }
  for (Py_ssize_t i = 0; i < count; ++i)
    PyList_SetItem(copy, i, frozen(PyList_GetItem(value, i)));
  return copy;
}

void CompileTimeTable::place(size_t entry) {
  const size_t mask = places.size() - 1;
  size_t at = entries[entry].hash & mask;
  while (places[at])
    at = (at + 1) & mask;
  places[at] = uint32_t(entry + 1);
}

void CompileTimeTable::grow() {
  places.assign(std::bit_ceil(4 * (entries.size() + 1)), 0);
  for (size_t i = 0; i < entries.size(); ++i)
    place(i);
}

void CompileTimeTable::add(const CompileTimeKey &key, PyObject *object) {
  ++changes;
  Entry &entry = entries.emplace_back();
  entry.hash = key.hash;
  for (size_t i = 0; i < key.count; ++i)
    entry.values.push_back(frozen(key.values[i]));
  entry.object = Ref::share(object).release();
  if (entries.size() * 2 > places.size())
    grow();
  else
    place(entries.size() - 1);
}

void CompileTimeTable::clear() {
  ++changes;
  std::vector<Entry> dropped;
  dropped.swap(entries);
  places.clear();
  for (Entry &entry : dropped) {
    for (PyObject *value : entry.values)
      Py_XDECREF(value);
    Py_XDECREF(entry.object);
  }
}

int CompileTimeTable::traverse(visitproc visit, void *arg) {
  for (Entry &entry : entries) {
    for (PyObject *value : entry.values)
      Py_VISIT(value);
    Py_VISIT(entry.object);
  }
  return 0;
}

} // namespace tegula::python
