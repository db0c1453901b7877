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
#include <memory>
#include <string>
#include <vector>

namespace tegula::python {

/// A function of the host program that the compiler may call: its context. Lives as long as the program.
struct HostFunction {
  Ref callable;
};

/// Owns what the pointers in its values point to.
class ValueArena {
public:
  /// Reads a tuple. Functions of the host are added to `functions`; where that is null they are refused.
  /// False with an exception set when the tuple is none of the above.
  bool read(PyObject *tuple, tegula_value &value, std::vector<std::unique_ptr<HostFunction>> *functions);
  const char *keep(std::string text);
  void clear();

private:
  bool readContent(PyObject *content, tegula_value &value,
                   std::vector<std::unique_ptr<HostFunction>> *functions);
  bool readElements(PyObject *content, tegula_value &value,
                    std::vector<std::unique_ptr<HostFunction>> *functions);
  bool readNames(PyObject *names, tegula_value &value);

  std::deque<std::string> texts;
  std::deque<std::vector<tegula_value>> elements;
  std::deque<std::vector<const char *>> names;
};

/// The text of a string object, or null with an exception set. It lives as long as the object.
const char *textOf(PyObject *string);

/// A value as such a tuple, or null with an exception set.
PyObject *valueTuple(const tegula_value &value);

} // namespace tegula::python
