// Values bound to names of a kernel's source, between Python and the compiler.
//
// A value is a tuple (kind, content, text, names, is_constexpr) with the meaning of `tegula_value`: `kind` is
// a `ValueKind`, `content` an integer, a float, a tuple of values or a callable, `text` a string or None,
// `names` a tuple of strings or None. The Python half, `tegula.runtime.program.values`, makes and reads them
// as `Value`.
#pragma once

#include "runtime/python/native/Ref.h"

#include "runtime/api/tegula_c.h"

#include <deque>
#include <string>
#include <vector>

namespace tegula::python {

/// Owns what the pointers in its values point to.
class ValueArena {
public:
  /// Functions of the host are added to `functions`, which lives as long as they may be called; where that is
  /// null they are refused.
  explicit ValueArena(std::vector<Ref> *functions) : functions(functions) {}

  /// Reads a tuple. False with an exception set when it is none of the above.
  bool read(PyObject *tuple, tegula_value &value);
  const char *keep(std::string text);
  void clear();

private:
  bool readContent(PyObject *content, tegula_value &value);
  bool readElements(PyObject *content, tegula_value &value);
  bool readNames(PyObject *names, tegula_value &value);

  std::vector<Ref> *functions;
  std::deque<std::string> texts;
  std::deque<std::vector<tegula_value>> elements;
  std::deque<std::vector<const char *>> names;
};

/// The text of a string object, or null with an exception set. It lives as long as the object.
const char *textOf(PyObject *string);

/// A value as such a tuple, or null with an exception set.
PyObject *valueTuple(const tegula_value &value);

} // namespace tegula::python
