// A program as a host hands it over that has run already, such as Python: each jit function is a source of
// its own, with what the names in it mean. No MLIR.
#pragma once

#include "compiler/spec/BoundValue.h"

#include <map>

namespace tegula {

/// By name.
using NameTable = std::map<std::string, BoundValue>;

/// One source of a program.
struct SourceUnit {
  std::string path;       ///< of the file that the text stands in
  std::string text;       ///< may be indented as a whole, as a function in a class is
  uint32_t firstLine = 1; ///< of `text` within the file
  /// Meanings of the names that `text` uses. A text of one function, and any text with a name in here,
  /// belongs to a host, as a class does whose values kernels make: apart from these names only its own
  /// functions and Python's built-ins are known in it. Any other text is a file, whose statements say what
  /// its names mean.
  NameTable names;
};

/// Returns everything that the compilation of a program depends on besides the spec and the paths of its
/// sources, as a text: equal for equal programs, in every process. Of host functions it holds the names, not
/// what they do.
std::string programIdentity(const std::vector<SourceUnit> &units, size_t entry);

/// Returns true if a host function is among the values that `units` bind, at any depth.
bool callsHost(const std::vector<SourceUnit> &units);

} // namespace tegula
