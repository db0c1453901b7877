// The value of an expression while a kernel is evaluated: a Python value known at compile time, or a run-time
// scalar or tensor, which is a value of the IR with its type in the language.
//
// A Value is plain data. Parts that do not fit into it (text, the items of tuples, captured variables) lives
// in the evaluator's memory until the compilation ends, so that values copy freely and no chain of
// destructors depends on how deep a user nests them.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"
#include "compiler/frontend/values/Types.h"

#include "mlir/IR/Value.h"

#include <string>
#include <string_view>
#include <variant>

namespace tegula {
struct BoundValue;
namespace bound {
struct HostFunction;
} // namespace bound
} // namespace tegula

namespace tegula::eval {

struct AggregateClass;
struct Builtin;
struct Unit;
class Scope;
struct Value;

/// Stands for the value of something wrong that has been reported: whatever is done with it is silent.
struct Poison {};
struct None {};

/// A run-time value: a scalar or a tensor.
struct Tensor {
  mlir::Value ir;
  Dtype dtype;

  /// The sides; none for a scalar. Lives as long as the MLIR context.
  Shape shape() const;
  bool isScalar() const { return shape().empty(); }
};

/// A block of an array in memory that loads and stores name as a whole: what `tl.make_block_ptr` makes.
struct BlockPointer {
  mlir::Value view;     ///< of the array
  const Tensor *starts; ///< the coordinate where the block begins, an int32 for each axis
  Shape block;          ///< the sides; lives as long as the MLIR context
  Dtype element;        ///< in memory: an array of truths is one of bytes
  bool isConst = false;
};

/// An array in memory with the block in which it is read and written: what `tl.make_tensor_descriptor` makes.
struct Descriptor {
  mlir::Value view;
  const Tensor *sizes, *strides; ///< one for each axis, of int32 and of int64
  Shape block;
  Dtype element;
  bool padsWithNan = false;  ///< what is read outside; zero otherwise
  bool roundsToTf32 = false; ///< what is read of fp32
};

inline llvm::ArrayRef<Tensor> startsOf(const BlockPointer &pointer) {
  return {pointer.starts, pointer.block.size()};
}
inline llvm::ArrayRef<Tensor> sizesOf(const Descriptor &descriptor) {
  return {descriptor.sizes, descriptor.block.size()};
}
inline llvm::ArrayRef<Tensor> stridesOf(const Descriptor &descriptor) {
  return {descriptor.strides, descriptor.block.size()};
}

/// The values of the IR that these are.
llvm::SmallVector<mlir::Value, 8> irOf(llvm::ArrayRef<Tensor> tensors);

/// A type as a value: `tl.float32`, `x.dtype`, `x.type`.
struct TypeValue {
  Dtype dtype;
  Shape shape;                 ///< of a block type; lives as long as the MLIR context
  bool isVoid = false;         ///< `tl.void`
  bool isBlockPointer = false; ///< of a block pointer: `dtype` points to blocks of `shape`
  /// For a compile-time value the value, which is part of its type; else null.
  const Value *known = nullptr;
};

/// Size of a tuple with all that is nested in it. Bounded where tuples are made, so that walking over one is
/// safe although its parts may be shared.
struct Extent {
  uint32_t leaves = 0;
  uint32_t depth = 0;
  bool hasUnknown = false; ///< an `Unknown` is among the leaves
};
inline constexpr uint32_t maxTupleLeaves = 1u << 20;
inline constexpr uint32_t maxTupleDepth = 32;
/// Characters of one compile-time string.
inline constexpr uint64_t maxText = 1u << 20;

/// Names that make a tuple a named one, or a value of an aggregate.
struct TupleNames {
  std::string_view type;
  llvm::ArrayRef<std::string_view> fields;   ///< one for each item
  const AggregateClass *aggregate = nullptr; ///< null of a named tuple
};
struct Tuple {
  llvm::ArrayRef<Value> items;
  bool isList = false;
  Extent extent;
  const TupleNames *names = nullptr; ///< null for a plain tuple or list
};
struct Dict {
  llvm::ArrayRef<std::pair<Value, Value>> items;
  Extent extent;
  bool isRecord = false; ///< an object of the host such as `triton.Config`: its items are its attributes
};

/// A `def`, with the file it stands in.
struct Function {
  const ast::FunctionStmt *definition;
  const Unit *unit;
  const Value *self = nullptr; ///< of a method, its first argument
  bool isHosts = false;        ///< runs as Python, as `triton.constexpr_function(f)` has it
};
struct Lambda {
  const ast::LambdaExpr *definition;
  const Unit *unit;
  const Scope *captured; ///< or null at module level
};
/// A function of the library that this compiler implements in C++.
struct BuiltinRef {
  const Builtin *builtin;
  const Value *self = nullptr; ///< of a method, its first argument
};

enum class ModuleId : uint8_t {
  Triton,     ///< triton
  Language,   ///< triton.language and its parts core, standard, random
  Math,       ///< triton.language.math
  Extra,      ///< triton.language.extra
  Cuda,       ///< triton.language.extra.cuda
  Libdevice,  ///< triton.language.extra[.cuda].libdevice
  TargetInfo, ///< triton.language.target_info
  NanPolicy,  ///< triton.language.PropagateNan
  Runtime,    ///< triton.runtime and triton.runtime.driver
  Driver,     ///< triton.runtime.driver.active
  PythonMath, ///< math
  Itertools,  ///< itertools
  Descriptor, ///< no module: where methods of tensor descriptors are found
};
struct ModuleRef {
  ModuleId id;
  std::string_view name; ///< as imported
};

/// A file that was imported as a module.
struct FileModule {
  const Unit *unit;
  std::string_view name; ///< "pkg.utils"
};

/// A module, an object or a function of the host, which lives as long as the program or the evaluator.
struct HostObject {
  const BoundValue *bound;
};

/// Origin of a name whose value is unknown.
struct UnknownOrigin {
  enum class Kind : uint8_t {
    Import,    ///< `from other import name`
    Module,    ///< `import other`
    Class,     ///< `class name:`
    Nested,    ///< `def name` within a function
    Parameter, ///< of a function that a kernel is defined in
    Bound,     ///< to something of the host's that a kernel cannot use
    Choice,    ///< defined on two sides of a condition that is unknown
  };
  Kind kind;
  std::string_view name;
  std::string_view from = {}; ///< of an Import: the other module; of what is Bound: "a torch.Tensor"
  const Unit *unit;           ///< null of what is Bound, which has no place
  SourceRange range;          ///< where the file gets the name
  SourceRange other = {};     ///< of a Choice: the other definition
  SourceRange condition = {}; ///< of a Choice: what decides; empty for a `try`
  /// The expression whose value would decide a Choice, "pkg.is_hip()"; empty where none with a path would.
  std::string_view decider = {};
  /// The full name of an Import and a Module, "pkg.utils.F".
  std::string_view path = {};
  bool isSearched = false;              ///< of both: the module was looked for, and there is none
  const ast::ClassStmt *type = nullptr; ///< of a Class
};
/// A name without a value. It may be handed about; to ask what it is worth is an error.
struct Unknown {
  const UnknownOrigin *origin;
};

/// Hints of the author for a loop: the keywords of `tl.range`. Numbers are 0 where not given.
struct LoopHints {
  uint32_t stages = 0, unroll = 0;
  bool flatten = false, singleAcc = false, specialize = false, noLicm = false;
  bool operator==(const LoopHints &) const = default;
};

/// `range` with bounds known at compile time.
struct Range {
  int64_t start, stop, step; ///< `step` is not 0
  bool unrolled = false;     ///< `tl.static_range`
  LoopHints hints = {};
  /// Number of values.
  uint64_t size() const;
  int64_t at(uint64_t index) const { return int64_t(uint64_t(start) + index * uint64_t(step)); }
};
/// `range` with a bound known at run time only.
struct RuntimeRange {
  const Value *bounds; ///< start, stop, step
  LoopHints hints = {};
};
struct SliceValue {
  static constexpr std::string_view names[] = {"start", "stop", "step"};
  const Value *parts; ///< lower, upper, step, each perhaps None
};
struct EllipsisValue {};
/// The value of an aggregate's field until its `__init__` sets it.
struct Unset {};

struct Value {
  using Payload =
      std::variant<Poison, None, bool, Int, double, std::string_view, Tensor, BlockPointer, Descriptor,
                   TypeValue, Tuple, Dict, Function, Lambda, BuiltinRef, ModuleRef, FileModule, HostObject,
                   Unknown, Range, RuntimeRange, SliceValue, EllipsisValue, Unset>;
  Payload payload;
  /// Made by `tl.constexpr(...)`, or from such values: a kernel may read it from its module.
  bool wrapped = false;
  /// The number that a jit function made a tensor of by returning it, for uses that need a constant. Null
  /// for other values.
  const Value *constant = nullptr;

  /// Exactly the kinds above convert, so that no int becomes a truth by accident.
  template <typename T, typename... Ts>
  static constexpr bool isOneOf(std::type_identity<std::variant<Ts...>>) {
    return (std::is_same_v<T, Ts> || ...);
  }

  Value() = default;
  template <typename T>
  requires(isOneOf<T>(std::type_identity<Payload>())) Value(T value)
      : payload(std::in_place_type<T>, value) {}

  template <typename T> const T *as() const { return std::get_if<T>(&payload); }
  template <typename T> bool is() const { return std::holds_alternative<T>(payload); }
  bool isPoison() const { return is<Poison>(); }
  bool isNone() const { return is<None>(); }
  /// bool, integer or float known at compile time.
  bool isNumber() const { return is<bool>() || is<Int>() || is<double>(); }
  /// A bool or an integer known at compile time.
  std::optional<Int> asInt() const;
  /// The number as a double.
  std::optional<double> asDouble() const;
};
static_assert(std::is_trivially_copyable_v<Value>);

/// The number that `value` is known to be although it is a tensor, else `value` itself.
inline const Value &knownOf(const Value &value) { return value.constant ? *value.constant : value; }

/// `value`, or Poison where there is none.
inline Value orPoison(std::optional<Tensor> value) { return value ? Value(*value) : Value(Poison()); }

/// The class that `value` is one of, or null.
inline const AggregateClass *aggregateOf(const Value &value) {
  const Tuple *tuple = value.as<Tuple>();
  return tuple && tuple->names ? tuple->names->aggregate : nullptr;
}

/// The function of the host that `value` is, or null.
const bound::HostFunction *hostFunction(const HostObject &value);

/// 1 for anything but a tuple or dict.
Extent extentOf(const Value &value);

/// Names the value in messages: "int", "fp32[64]", "function `f`", "None".
std::string describe(const Value &value);

/// The same, but of a tuple what is in it: "(int32, fp32)".
std::string describeType(const Value &value);

/// Python's `repr` or `str` of a compile-time value, with dots behind `maxText` characters. A run-time value
/// prints as its type.
std::string toText(const Value &value, bool quoteStrings);

/// Python's `float.__repr__`.
std::string toText(double value);

/// Python's truth of a compile-time value; absent for a run-time one and for what has no value.
std::optional<bool> truth(const Value &value);

/// Returns a part of `value` that has no value, or null.
const Unknown *findUnknown(const Value &value);

/// Returns true if a value of the IR is anywhere within.
bool isRuntime(const Value &value);

} // namespace tegula::eval
