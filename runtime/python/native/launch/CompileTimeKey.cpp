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

/// Compares tuples or lists; a list may change meanwhile.
static int sameItems(PyObject *a, PyObject *b, Py_ssize_t (*size)(PyObject *),
                     PyObject *(*item)(PyObject *, Py_ssize_t)) {
  const Py_ssize_t count = size(a);
  if (count != size(b))
    return 0;
  for (Py_ssize_t i = 0; i < count && i < size(a) && i < size(b); ++i)
    if (int same = sameValue(item(a, i), item(b, i)); same != 1)
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
    return sameItems(a, b, PyTuple_Size, PyTuple_GetItem);
  if (type == &PyList_Type)
    return sameItems(a, b, PyList_Size, PyList_GetItem);
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
      if (entries[number].values[i].get() == key.values[i])
        continue;
      // A comparison may run Python code, which may change this table.
      const Ref kept = entries[number].values[i];
      const uint64_t before = changes;
      const int answer = sameValue(kept.get(), key.values[i]);
      if (answer < 0)
        return {};
      if (changes != before)
        return find(key);
      same = answer == 1;
    }
    if (same)
      return entries[number].object;
  }
  return {};
}

/// A copy of what can change: lists, also within lists.
static Ref frozen(PyObject *value) {
  if (!value || !PyList_CheckExact(value))
    return Ref::share(value);
  const Py_ssize_t count = PyList_Size(value);
  Ref copy = Ref::take(PyList_New(count));
  if (!copy) {
    PyErr_Clear();
    return Ref::share(value);
  }
  for (Py_ssize_t i = 0; i < count; ++i)
    PyList_SetItem(copy.get(), i, frozen(PyList_GetItem(value, i)).release());
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
  entry.object = Ref::share(object);
  if (entries.size() * 2 > places.size())
    grow();
  else
    place(entries.size() - 1);
}

void CompileTimeTable::clear() {
  ++changes;
  places.clear();
  const std::vector<Entry> dropped = std::exchange(entries, {}); // what goes may run Python code
}

int CompileTimeTable::traverse(visitproc visit, void *arg) {
  for (Entry &entry : entries) {
    for (const Ref &value : entry.values)
      Py_VISIT(value.get());
    Py_VISIT(entry.object.get());
  }
  return 0;
}

} // namespace tegula::python
