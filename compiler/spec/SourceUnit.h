// A program as a host hands it over that has run already, such as Python: each jit function is a source of
// its own, with what the names in it mean. No MLIR.
#pragma once

#include "compiler/spec/KernelSpec.h"

#include <functional>

namespace tegula {

struct BoundValue;

/// The kinds of `BoundValue` that C++ has no type for.
namespace bound {

struct NamedValue;
using NamedValues = std::vector<NamedValue>;

struct Dtype {
  ScalarKind scalar;
  uint8_t pointerDepth = 0; ///< 1 for "*fp32"
};
struct Tuple {
  std::vector<BoundValue> items;
  std::vector<std::string> fields; ///< of a named tuple, one for each item; empty for any other
  std::string typeName;            ///< of a named tuple
};
struct List {
  std::vector<BoundValue> items;
};
struct Dict {
  NamedValues items;
};
using Function = FunctionValue;
using Language = LanguageValue;
/// A module or an object of the host.
struct Namespace {
  std::string what;       ///< as messages call it: "module `config`"
  NamedValues attributes; ///< those that the program uses
};
struct HostFunction;
/// What a kernel cannot use.
struct Unknown {
  std::string what; ///< "a torch.Tensor"
};

} // namespace bound

/// What a name means. A value may nest 32 deep; an error at its use says so where it is deeper.
struct BoundValue {
  std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, bound::Dtype, bound::Tuple,
               bound::List, bound::Dict, bound::Function, bound::Language, bound::Namespace,
               std::shared_ptr<const bound::HostFunction>, bound::Unknown>
      value; ///< `std::monostate` is None
  /// Bound as `tl.constexpr`. Within a kernel a number, string, tuple, list or dict may be read only so, be
  /// it a name's or an attribute's of a namespace.
  bool isConstexpr = false;
};

namespace bound {

struct NamedValue {
  std::string name;
  BoundValue value;
};
struct HostArguments {
  std::vector<BoundValue> positional;
  NamedValues keywords;
};
struct HostError {
  std::string message;
};
/// A function that the host runs while a kernel is compiled, as `triton.constexpr_function` makes them.
/// `call` computes the result or says what is wrong, throws nothing, and is called from any thread.
struct HostFunction {
  std::string name; ///< as messages call it
  std::function<std::variant<BoundValue, HostError>(const HostArguments &)> call;
};

} // namespace bound

/// `value` as a host would bind it.
BoundValue boundValue(const ConstexprValue &value);

/// By name.
using NameTable = std::map<std::string, BoundValue>;

/// One source of a program.
struct SourceUnit {
  std::string path;       ///< of the file that the text stands in
  std::string text;       ///< may be indented as a whole, as a function in a class is
  uint32_t firstLine = 1; ///< of `text` within the file
  /// What the names mean that `text` uses. A text of one function, and any text with a name in here, belongs
  /// to a host, as a class does whose values kernels make: apart from these names only its own functions and
  /// Python's built-ins are known in it. Any other text is a file, whose statements say what its names mean.
  NameTable names;
};

/// Everything that the compilation of a program depends on beside the spec and the paths of its sources, as a
/// text: equal for equal programs, in every process. Of host functions the names stand in it, not what they
/// do.
std::string programIdentity(const std::vector<SourceUnit> &units, size_t entry);

/// Whether a host function is among the values that `units` bind, at any depth.
bool callsHost(const std::vector<SourceUnit> &units);

} // namespace tegula
