// Values that are known when a kernel is compiled: those that a launch binds parameters to, and those that a
// host that has run already, such as Python, binds names to. No MLIR.
#pragma once

#include "compiler/spec/ScalarKind.h"

#include <functional>
#include <memory>
#include <variant>
#include <vector>

namespace tegula {

struct BoundValue;

/// The kinds of `BoundValue` that C++ has no type for.
namespace bound {

struct NamedValue;
using NamedValues = std::vector<NamedValue>;

struct Dtype {
  ScalarKind scalar;
  uint8_t pointerDepth = 0; ///< 1 for "*fp32"
  bool operator==(const Dtype &) const = default;
};
struct Tuple {
  std::vector<BoundValue> items;
  std::vector<std::string> fields = {}; ///< of a named tuple, one for each item; empty for any other
  std::string typeName = {};            ///< of a named tuple
  bool operator==(const Tuple &) const;
};
struct List {
  std::vector<BoundValue> items;
  bool operator==(const List &) const;
};
struct Dict {
  NamedValues items;
  bool operator==(const Dict &) const;
};
/// The jit function `name` of the program's source number `source`. A file is source 0, where a function is
/// whatever its top knows: also one that it imports, and "acts.relu" of a module.
struct Function {
  size_t source = 0;
  std::string name;
  bool operator==(const Function &) const = default;
};
/// Names a part of the language, dotted: "triton.language.math.exp", "triton.language", "math".
struct Language {
  std::string path;
  bool operator==(const Language &) const = default;
};
/// A module or an object of the host.
struct Namespace {
  std::string what;       ///< as messages call it: "module `config`"
  NamedValues attributes; ///< those that the program uses
  bool operator==(const Namespace &) const;
};
struct HostFunction;
/// Holds what is known when compiling of a parameter that is a tensor descriptor made by the host. The array
/// itself is passed by parameters of their own: `descriptorParameters` in `compiler/spec/Descriptor.h`.
struct Descriptor {
  std::vector<int64_t> block; ///< the sides of its blocks, one for each axis of the array
  bool padsWithNan = false;   ///< what is read outside of the array; zero otherwise
  bool operator==(const Descriptor &) const = default;
};
/// Stands in a tuple for an item that each launch passes, as a parameter of its own
/// (`compiler/spec/PassedTuple.h`).
struct Passed {
  bool operator==(const Passed &) const = default;
};
/// Stands for a value that a kernel cannot use.
struct Unknown {
  std::string what; ///< "a torch.Tensor"
  bool operator==(const Unknown &) const = default;
};

} // namespace bound

/// A value may nest 32 deep; an error at its use says so where it is deeper.
struct BoundValue {
  std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, bound::Dtype, bound::Tuple,
               bound::List, bound::Dict, bound::Function, bound::Language, bound::Namespace,
               std::shared_ptr<const bound::HostFunction>, bound::Descriptor, bound::Passed, bound::Unknown>
      value; ///< `std::monostate` is None
  /// Bound as `tl.constexpr`. Within a kernel a number, string, tuple, list or dict that is not a parameter's
  /// may be read only so, be it a name's or an attribute's of a namespace.
  bool isConstexpr = false;
  bool operator==(const BoundValue &) const = default;
};

namespace bound {

struct NamedValue {
  std::string name;
  BoundValue value;
  bool operator==(const NamedValue &) const = default;
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

/// The items of a tuple or a list, else null.
const std::vector<BoundValue> *itemsOf(const BoundValue &value);

/// A text of one line or more that differs between any two different values, and is the same in every
/// process. Of host functions it has the names, not what they do.
std::string keyOf(const BoundValue &value);

/// Returns true if a host function is among what `value` holds, at any depth.
bool callsHost(const BoundValue &value);

} // namespace tegula
