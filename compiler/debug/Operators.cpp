#include "compiler/debug/Operators.h"

#include "compiler/debug/ElementTypes.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cmath>
#include <map>
#include <utility>

namespace tegula::debug {

namespace {

/// The sides of two values that are broadcast; nothing, with `error`, where they do not go together.
std::optional<std::vector<int64_t>> commonShape(const Value &a, const Value &b, std::string &error) {
  const size_t rank = std::max(a.shape.size(), b.shape.size());
  std::vector<int64_t> shape(rank);
  for (size_t back = 1; back <= rank; ++back) {
    const int64_t x = back <= a.shape.size() ? a.shape[a.shape.size() - back] : 1,
                  y = back <= b.shape.size() ? b.shape[b.shape.size() - back] : 1;
    if (x != y && x != 1 && y != 1) {
      error = "sides of " + std::to_string(x) + " and " + std::to_string(y) + " do not go together";
      return std::nullopt;
    }
    shape[rank - back] = x == 1 ? y : x;
  }
  return shape;
}

/// The index in `value` of element `index` of a value with sides `shape`.
size_t indexIn(const Value &value, const std::vector<int64_t> &shape, size_t index) {
  size_t at = 0, stride = 1;
  for (size_t back = 1; back <= value.shape.size(); ++back) {
    const auto side = size_t(shape[shape.size() - back]);
    const auto own = size_t(value.shape[value.shape.size() - back]);
    at += (own == 1 ? 0 : index % side) * stride;
    stride *= own;
    index /= side;
  }
  return at;
}

size_t elementCount(const std::vector<int64_t> &shape) {
  size_t count = 1;
  for (int64_t side : shape)
    count *= size_t(side);
  return count;
}

using AppendElement = llvm::function_ref<void(Value &, size_t, size_t)>;

/// Element by element; `append` appends to the result what it makes of two elements.
std::optional<Value> pairwise(const Value &a, const Value &b, Value::Kind kind, std::string &error,
                              AppendElement append) {
  const std::optional<std::vector<int64_t>> shape = commonShape(a, b, error);
  if (!shape)
    return std::nullopt;
  Value out;
  out.kind = kind;
  out.shape = *shape;
  const size_t count = elementCount(*shape);
  for (size_t i = 0; i < count; ++i)
    append(out, indexIn(a, *shape, i), indexIn(b, *shape, i));
  return out;
}

/// The same where an undefined element makes an undefined one.
std::optional<Value> elementwise(const Value &a, const Value &b, Value::Kind kind, std::string &error,
                                 AppendElement append) {
  return pairwise(a, b, kind, error, [&](Value &out, size_t x, size_t y) {
    a.isUndefined(x) || b.isUndefined(y) ? out.addUndefined() : append(out, x, y);
  });
}

double realOf(ast::BinaryOp op, double a, double b) {
  switch (op) {
  case ast::BinaryOp::Add:
    return a + b;
  case ast::BinaryOp::Sub:
    return a - b;
  case ast::BinaryOp::Mul:
    return a * b;
  case ast::BinaryOp::Div:
    return a / b;
  case ast::BinaryOp::FloorDiv:
    return std::floor(a / b);
  case ast::BinaryOp::Mod:
    return std::fmod(a, b);
  case ast::BinaryOp::Pow:
    return std::pow(a, b);
  default:
    return NAN;
  }
}

/// Returns the integer of 64 bits, which wraps; nothing where there is no result.
std::optional<int64_t> wholeOf(ast::BinaryOp op, int64_t a, int64_t b) {
  const auto x = uint64_t(a), y = uint64_t(b);
  switch (op) {
  case ast::BinaryOp::Add:
    return int64_t(x + y);
  case ast::BinaryOp::Sub:
    return int64_t(x - y);
  case ast::BinaryOp::Mul:
    return int64_t(x * y);
  case ast::BinaryOp::FloorDiv:
    return b == 0 || (b == -1 && a == INT64_MIN) ? std::nullopt : std::optional(a / b);
  case ast::BinaryOp::Mod:
    return b == 0 || b == -1 ? (b ? std::optional<int64_t>(0) : std::nullopt) : std::optional(a % b);
  case ast::BinaryOp::ShiftLeft:
    return y < 64 ? std::optional(int64_t(x << y)) : std::nullopt;
  case ast::BinaryOp::ShiftRight:
    return y < 64 ? std::optional(a >> y) : std::nullopt;
  case ast::BinaryOp::BitAnd:
    return a & b;
  case ast::BinaryOp::BitOr:
    return a | b;
  case ast::BinaryOp::BitXor:
    return a ^ b;
  default:
    return std::nullopt;
  }
}

bool isForWholes(ast::BinaryOp op) {
  using enum ast::BinaryOp;
  return llvm::is_contained({ShiftLeft, ShiftRight, BitAnd, BitOr, BitXor}, op);
}

template <typename T> bool holds(ast::CompareOp op, T a, T b) {
  switch (op) {
  case ast::CompareOp::Eq:
    return a == b;
  case ast::CompareOp::Ne:
    return a != b;
  case ast::CompareOp::Lt:
    return a < b;
  case ast::CompareOp::Le:
    return a <= b;
  case ast::CompareOp::Gt:
    return a > b;
  default:
    return a >= b;
  }
}

using Unary = double (*)(double);
const std::map<std::string, Unary> functions = {
    {"exp", [](double x) { return std::exp(x); }},   {"log", [](double x) { return std::log(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }}, {"floor", [](double x) { return std::floor(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
};
using Test = bool (*)(double);
const std::map<std::string, Test> tests = {
    {"isnan", [](double x) { return std::isnan(x); }},
    {"isinf", [](double x) { return std::isinf(x); }},
    {"isfinite", [](double x) { return std::isfinite(x); }},
};

/// All defined elements as one. Nothing where there are none.
std::optional<Value> reduce(const std::string &name, const Value &value, std::string &error) {
  double sum = 0;
  int64_t whole = 0;
  size_t counted = 0, best = 0;
  bool any = false, all = true;
  for (size_t i = 0; i < value.size(); ++i) {
    if (value.isUndefined(i))
      continue;
    sum += value.real(i);
    whole += value.kind == Value::Real ? 0 : value.wholes[i];
    any |= value.real(i) != 0;
    all &= value.real(i) != 0;
    if (!counted++ || (name == "min" ? value.real(i) < value.real(best) : value.real(i) > value.real(best)))
      best = i;
  }
  if (name == "any" || name == "all")
    return Value::of(name == "any" ? any : all);
  if (name == "sum")
    return value.kind == Value::Real ? Value::of(sum) : Value::of(whole);
  if (!counted) {
    error = "no element is defined";
    return std::nullopt;
  }
  if (name == "mean")
    return Value::of(sum / double(counted));
  return value.kind == Value::Real ? Value::of(value.reals[best]) : Value::of(value.wholes[best]);
}

/// One value for each element; undefined ones stay so.
template <typename Compute> Value mapped(const Value &value, Value::Kind kind, Compute compute) {
  Value out;
  out.kind = kind;
  out.shape = value.shape;
  for (size_t i = 0; i < value.size(); ++i)
    kind == Value::Real ? out.reals.push_back(compute(i)) : out.wholes.push_back(int64_t(compute(i)));
  out.undefined = value.undefined;
  return out;
}

/// Returns `made` in the type that two values have in common, where they have one.
Value inCommonType(const Value &a, const Value &b, Value made) {
  std::string none;
  const std::optional<ScalarKind> type = commonType(a, b, /*divides=*/false, none);
  return type ? convertedTo(made, *type) : made;
}

std::optional<Value> select(const std::vector<Value> &arguments, std::string &error) {
  const Value &condition = arguments[0], &yes = arguments[1], &no = arguments[2];
  const auto sides = commonShape(yes, no, error);
  if (!sides)
    return std::nullopt;
  Value both;
  both.shape = *sides;
  std::optional<Value> out = pairwise(
      condition, both, std::max(yes.kind, no.kind), error, [&](Value &made, size_t at, size_t index) {
        const Value &taken = condition.real(at) != 0 ? yes : no;
        condition.isUndefined(at) ? made.addUndefined() : made.append(taken, indexIn(taken, *sides, index));
      });
  return out ? std::optional(inCommonType(yes, no, std::move(*out))) : std::nullopt;
}

} // namespace

/// The same of values of one type, or of none, without a thought of what fits it.
static std::optional<Value> combineExactly(ast::BinaryOp op, const Value &left, const Value &right,
                                           std::string &error) {
  const bool isReal = left.kind == Value::Real || right.kind == Value::Real || op == ast::BinaryOp::Div ||
                      op == ast::BinaryOp::Pow;
  if (op == ast::BinaryOp::MatMul || (isReal && isForWholes(op))) {
    error = "`" + std::string(ast::spelling(op)) + "` does not go with these values";
    return std::nullopt;
  }
  if (isReal)
    return elementwise(left, right, Value::Real, error, [&](Value &out, size_t x, size_t y) {
      out.add(realOf(op, left.real(x), right.real(y)));
    });
  const bool isTruth = left.kind == Value::Truth && right.kind == Value::Truth && isForWholes(op);
  return elementwise(left, right, isTruth ? Value::Truth : Value::Whole, error,
                     [&](Value &out, size_t x, size_t y) {
                       const std::optional<int64_t> number = wholeOf(op, left.wholes[x], right.wholes[y]);
                       number ? out.add(*number) : out.addUndefined();
                     });
}

/// Returns the bytes of what addresses of `type`, such as "pointer<fp32>[16]", point at.
static uint64_t pointeeBytes(std::string_view type) {
  constexpr uint64_t bytesOfPointer = 8;
  const size_t begin = type.find('<') + 1;
  const std::optional<ScalarKind> kind = parseScalarKind(type.substr(begin, type.find('>') - begin));
  return kind ? scalarKindBytes(*kind) : bytesOfPointer;
}

/// Moves addresses by so many elements, as a kernel does.
static std::optional<Value> moved(ast::BinaryOp op, Value address, Value by, std::string &error) {
  const std::string type = std::exchange(address.type, {});
  const uint64_t bytes = pointeeBytes(type);
  for (int64_t &elements : by.wholes)
    elements = int64_t(uint64_t(elements) * bytes);
  by.type.clear(); // an offset of 32 bits does not wrap once it is added
  std::optional<Value> out = combineExactly(op, address, by, error);
  if (out) {
    out->type = type.substr(0, type.find('['));
    out->pointees = address.pointees;
  }
  return out;
}

/// Subtracts addresses, in elements.
static std::optional<Value> distance(Value left, Value right, std::string &error) {
  const auto bytes = int64_t(pointeeBytes(left.type));
  left.type = right.type = "int64";
  std::optional<Value> out = combineExactly(ast::BinaryOp::Sub, left, right, error);
  for (size_t i = 0; out && i < out->size(); ++i)
    out->wholes[i] /= bytes;
  if (out)
    out->type = "int64";
  return out;
}

std::optional<Value> combine(ast::BinaryOp op, const Value &left, const Value &right, std::string &error) {
  if (op == ast::BinaryOp::Sub && left.isAddress() && right.isAddress())
    return distance(left, right, error);
  const auto isOffset = [](const Value &value) { return value.kind == Value::Whole && !value.isAddress(); };
  if ((op == ast::BinaryOp::Add || op == ast::BinaryOp::Sub) && left.isAddress() && isOffset(right))
    return moved(op, left, right, error);
  if (op == ast::BinaryOp::Add && right.isAddress() && isOffset(left))
    return moved(op, right, left, error);
  const bool divides = op == ast::BinaryOp::Div || op == ast::BinaryOp::FloorDiv || op == ast::BinaryOp::Mod;
  if (!scalarOf(left) && !scalarOf(right))
    return combineExactly(op, left, right, error);
  std::optional<ScalarKind> type = commonType(left, right, divides, error);
  if (!type)
    return std::nullopt;
  // Integers are divided as floats.
  if (op == ast::BinaryOp::Div && !isFloatKind(*type))
    type = ScalarKind::Float32;
  const std::optional<Value> exact =
      combineExactly(op, convertedTo(left, *type), convertedTo(right, *type), error);
  return exact ? std::optional(convertedTo(*exact, *type)) : std::nullopt;
}

std::optional<Value> compareValues(ast::CompareOp op, const Value &left, const Value &right,
                                   std::string &error) {
  if (op > ast::CompareOp::Ge) {
    error = "`" + std::string(ast::spelling(op)) + "` does not go with these values";
    return std::nullopt;
  }
  const bool isReal = left.kind == Value::Real || right.kind == Value::Real;
  return elementwise(left, right, Value::Truth, error, [&](Value &out, size_t x, size_t y) {
    out.add(int64_t(isReal ? holds(op, left.real(x), right.real(y))
                           : holds(op, left.wholes[x], right.wholes[y])));
  });
}

std::optional<Value> combineTruths(ast::BoolOp op, const Value &left, const Value &right,
                                   std::string &error) {
  const bool decides = op == ast::BoolOp::Or;
  const auto isDecided = [&](const Value &one, size_t at) {
    return !one.isUndefined(at) && (one.real(at) != 0) == decides;
  };
  return pairwise(left, right, Value::Truth, error, [&](Value &out, size_t x, size_t y) {
    const bool isKnown = isDecided(left, x) || isDecided(right, y);
    const bool isOpen = !isKnown && (left.isUndefined(x) || right.isUndefined(y));
    isOpen ? out.addUndefined() : out.add(int64_t(isKnown == decides));
  });
}

/// Returns `made` in the type of what it was made of, where that has one.
static Value inTypeOf(const Value &value, Value made) {
  const std::optional<ScalarKind> type = scalarOf(value);
  return type ? convertedTo(made, *type) : made;
}

std::optional<Value> negate(ast::UnaryOp op, const Value &value, std::string &error) {
  if (op == ast::UnaryOp::Plus)
    return value;
  if (op == ast::UnaryOp::Invert) {
    if (value.kind == Value::Real) {
      error = "`~` does not go with this value";
      return std::nullopt;
    }
    return inTypeOf(value, mapped(value, value.kind, [&](size_t i) {
                      return value.kind == Value::Truth ? int64_t(!value.wholes[i]) : ~value.wholes[i];
                    }));
  }
  if (value.kind == Value::Real)
    return inTypeOf(value, mapped(value, Value::Real, [&](size_t i) { return -value.reals[i]; }));
  return inTypeOf(
      value, mapped(value, Value::Whole, [&](size_t i) { return int64_t(0 - uint64_t(value.wholes[i])); }));
}

bool isReduction(const std::string &name) {
  return name == "min" || name == "max" || name == "sum" || name == "mean" || name == "any" || name == "all";
}

/// Returns a reduction of a value of the program in the type that the language has for it.
static Value typedReduction(const std::string &name, const Value &value, Value made) {
  std::optional<ScalarKind> type = scalarOf(value);
  if (!type)
    return made;
  if (name == "any" || name == "all")
    type = ScalarKind::Int1;
  else if (name == "sum" && !isFloatKind(*type) && scalarKindBytes(*type) < 4)
    type = *type >= ScalarKind::UInt8 ? ScalarKind::UInt32
                                      : ScalarKind::Int32; // small integers are added in 32 bits
  else if (name == "mean" && !isFloatKind(*type))
    return made;
  return convertedTo(made, *type);
}

std::optional<Value> reduceAlong(const std::string &name, const Value &value, int64_t axis,
                                 std::string &error) {
  const auto rank = int64_t(value.shape.size());
  if (!isReduction(name) || axis < -rank || axis >= rank) {
    error = isReduction(name)
                ? "a value of " + std::to_string(rank) + " sides has no axis " + std::to_string(axis)
                : "`" + name + "` has no axis";
    return std::nullopt;
  }
  const auto along = size_t(axis < 0 ? axis + rank : axis);
  const auto side = size_t(value.shape[along]);
  size_t inner = 1;
  for (size_t i = along + 1; i < value.shape.size(); ++i)
    inner *= size_t(value.shape[i]);
  Value out;
  out.shape = value.shape;
  out.shape.erase(out.shape.begin() + long(along));
  for (size_t n = 0; n < elementCount(out.shape); ++n) {
    Value line;
    line.kind = value.kind;
    for (size_t i = 0; i < side; ++i)
      line.append(value, (n / inner * side + i) * inner + n % inner);
    std::string none;
    const std::optional<Value> one = reduce(name, line, none);
    if (one)
      out.kind = one->kind;
    one ? out.append(*one, 0) : out.addUndefined();
  }
  return typedReduction(name, value, std::move(out));
}

std::optional<Value> callFunction(const std::string &name, const std::vector<Value> &arguments,
                                  std::string &error) {
  const size_t count = arguments.size();
  if (isReduction(name) && count == 1) {
    std::optional<Value> made = reduce(name, arguments[0], error);
    return made ? std::optional(typedReduction(name, arguments[0], std::move(*made))) : std::nullopt;
  }
  if ((name == "min" || name == "max" || name == "minimum" || name == "maximum") && count == 2) {
    const bool least = name.starts_with("min");
    const Value &a = arguments[0], &b = arguments[1];
    std::optional<Value> made =
        elementwise(a, b, std::max(a.kind, b.kind), error, [&](Value &out, size_t x, size_t y) {
          const bool first = least ? a.real(x) < b.real(y) : a.real(x) > b.real(y);
          first ? out.append(a, x) : out.append(b, y);
        });
    return made ? std::optional(inCommonType(a, b, std::move(*made))) : std::nullopt;
  }
  if (name == "abs" && count == 1) {
    const Value &value = arguments[0];
    if (value.kind == Value::Real)
      return inTypeOf(value, mapped(value, Value::Real, [&](size_t i) { return std::fabs(value.reals[i]); }));
    return inTypeOf(value, mapped(value, Value::Whole, [&](size_t i) {
                      return value.wholes[i] < 0 ? int64_t(0 - uint64_t(value.wholes[i])) : value.wholes[i];
                    }));
  }
  if (name == "where" && count == 3)
    return select(arguments, error);
  if (const auto found = tests.find(name); found != tests.end() && count == 1)
    return mapped(arguments[0], Value::Truth, [&](size_t i) { return found->second(arguments[0].real(i)); });
  if (const auto found = functions.find(name); found != functions.end() && count == 1) {
    Value made =
        mapped(arguments[0], Value::Real, [&](size_t i) { return found->second(arguments[0].real(i)); });
    return arguments[0].kind == Value::Real ? inTypeOf(arguments[0], std::move(made)) : made;
  }
  error = "no function `" + name + "` of " + std::to_string(count) +
          " values: expected abs, min, max, sum, mean, any, all, "
          "where, exp, log, sqrt, floor, ceil, isnan, isinf or isfinite";
  return std::nullopt;
}

} // namespace tegula::debug
