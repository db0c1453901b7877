// Python's arithmetic, comparison and sequence operators.
#include "compiler/frontend/values/ConstexprOps.h"

#include "compiler/frontend/values/Formats.h"

#include <cmath>
#include <limits>

using namespace tegula;
using namespace tegula::eval;
using ast::BinaryOp;
using ast::CompareOp;

namespace {

Int floorDivide(Int a, Int b) {
  Int quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Int floorModulo(Int a, Int b) {
  Int rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double floorModulo(double a, double b) {
  double rest = std::fmod(a, b);
  if (rest == 0)
    return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

/// Python's `a // b`: by the remainder, which is exact. `floor(a / b)` is one off where the quotient is
/// rounded to a whole number, as in 1.5 // 0.1.
double floorDivide(double a, double b) {
  double rest = std::fmod(a, b), quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0))
    quotient -= 1;
  if (quotient == 0)
    return std::copysign(0.0, a / b);
  double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

/// Returns `result`, but where it is a NaN of numbers always the one of x86-64: other hosts make it with the
/// other sign, and a kernel has the same code whatever the host.
double ofAnyHost(double result, double left, double right) {
  const bool isNew = std::isnan(result) && !std::isnan(left) && !std::isnan(right);
  return isNew ? -std::numeric_limits<double>::quiet_NaN() : result;
}

/// `value` as a tuple or list: an aggregate is none.
const Tuple *sequenceOf(const Value &value) {
  const Tuple *tuple = value.as<Tuple>();
  return tuple && tuple->names && tuple->names->aggregate ? nullptr : tuple;
}

constexpr Int greatest = Int((~static_cast<unsigned __int128>(0)) >> 1);

} // namespace

Value ConstexprOps::refuse(std::string_view op, const Value &left, const Value &right, SourceRange range) {
  return reporter.refuse(range, asCode(op) + ": expected operands of fitting types, found " + describe(left) +
                                    " and " + describe(right));
}

Value ConstexprOps::overflow(SourceRange range) {
  return reporter.refuse(range, "expected an integer of at most 127 bits as the result");
}

Value ConstexprOps::power(Int base, Int exponent, SourceRange range) {
  if (exponent < 0) {
    if (base != 0)
      return std::pow(double(base), double(exponent));
    return reporter.refuse(range, "zero to a negative power");
  }
  Int result = 1;
  if (base == 0 || base == 1)
    return Int(exponent == 0 ? 1 : base);
  if (base == -1)
    return Int(exponent % 2 == 0 ? 1 : -1);
  for (Int i = 0; i < exponent; ++i)
    if (__builtin_mul_overflow(result, base, &result))
      return overflow(range);
  return result;
}

Value ConstexprOps::shift(BinaryOp op, Int left, Int right, SourceRange range) {
  if (right < 0)
    return reporter.refuse(range, "expected a shift that is not negative, found " + toString(right));
  if (op == BinaryOp::ShiftRight)
    return Int(left >> int(std::min<Int>(right, 127)));
  if (left == 0)
    return left;
  Int result = 0;
  if (right > 126 || __builtin_mul_overflow(left, Int(1) << int(right), &result))
    return overflow(range);
  return result;
}

Value ConstexprOps::integers(BinaryOp op, Int left, Int right, SourceRange range) {
  Int result = 0;
  bool tooLarge = false;
  switch (op) {
  case BinaryOp::Add:
    tooLarge = __builtin_add_overflow(left, right, &result);
    break;
  case BinaryOp::Sub:
    tooLarge = __builtin_sub_overflow(left, right, &result);
    break;
  case BinaryOp::Mul:
    tooLarge = __builtin_mul_overflow(left, right, &result);
    break;
  case BinaryOp::Div:
  case BinaryOp::FloorDiv:
  case BinaryOp::Mod:
    if (op == BinaryOp::Div)
      return double(left) / double(right);
    // The least value has no negative: division by -1 would overflow.
    if (right == -1)
      return op == BinaryOp::Mod ? Int(0) : left < -greatest ? overflow(range) : Value(Int(-left));
    result = op == BinaryOp::FloorDiv ? floorDivide(left, right) : floorModulo(left, right);
    break;
  case BinaryOp::Pow:
    return power(left, right, range);
  case BinaryOp::ShiftLeft:
  case BinaryOp::ShiftRight:
    return shift(op, left, right, range);
  case BinaryOp::BitAnd:
    result = left & right;
    break;
  case BinaryOp::BitOr:
    result = left | right;
    break;
  case BinaryOp::BitXor:
    result = left ^ right;
    break;
  case BinaryOp::MatMul:
    return refuse(ast::spelling(op), left, right, range);
  }
  return tooLarge ? overflow(range) : Value(result);
}

Value ConstexprOps::reals(BinaryOp op, double left, double right, SourceRange range) {
  switch (op) {
  case BinaryOp::Add:
    return ofAnyHost(left + right, left, right);
  case BinaryOp::Sub:
    return ofAnyHost(left - right, left, right);
  case BinaryOp::Mul:
    return ofAnyHost(left * right, left, right);
  case BinaryOp::Div:
    return ofAnyHost(left / right, left, right);
  case BinaryOp::FloorDiv:
    return ofAnyHost(floorDivide(left, right), left, right);
  case BinaryOp::Mod:
    return ofAnyHost(floorModulo(left, right), left, right);
  case BinaryOp::Pow: {
    double result = std::pow(left, right);
    if (std::isnan(result) && !std::isnan(left) && !std::isnan(right))
      return reporter.refuse(range, "a negative number to a fractional power");
    return result;
  }
  default:
    return refuse(ast::spelling(op), left, right, range);
  }
}

Value ConstexprOps::repeat(const Value &sequence, Int times, SourceRange range) {
  times = std::max<Int>(times, 0);
  if (const auto *text = sequence.as<std::string_view>()) {
    if (times > Int(maxText) || text->size() * uint64_t(times) > maxText)
      return reporter.refuse(range, "expected a string of at most " + std::to_string(maxText) + " bytes");
    std::string result;
    for (Int i = 0; i < times; ++i)
      result += *text;
    return memory.text(result, range);
  }
  const Tuple &tuple = *sequence.as<Tuple>();
  if (tuple.items.empty())
    return sequence;
  if (times > maxTupleLeaves || tuple.items.size() * uint64_t(times) > maxTupleLeaves) {
    reporter.fatal(range,
                   "expected at most " + std::to_string(maxTupleLeaves) + " values in a tuple or list");
    return Poison();
  }
  llvm::SmallVector<Value> items;
  for (Int i = 0; i < times; ++i)
    items.append(tuple.items.begin(), tuple.items.end());
  return memory.tuple(items, tuple.isList, range);
}

Value ConstexprOps::withValues(std::string_view text, llvm::ArrayRef<Value> values, SourceRange range) {
  for (const Value &value : values)
    if (isRuntime(value))
      return reporter.refuse(range, "`%`: expected values known at compile time, found " + describe(value));
  std::string wrong;
  std::optional<std::string> made = formatPercent(text, values, wrong);
  if (made)
    return memory.text(*made, range);
  return reporter.refuse(range, "`%`: " + wrong);
}

Value ConstexprOps::sequences(BinaryOp op, const Value &left, const Value &right, SourceRange range) {
  const Tuple *a = sequenceOf(left), *b = sequenceOf(right);
  const auto *s = left.as<std::string_view>(), *t = right.as<std::string_view>();
  if (op == BinaryOp::Add && a && b) {
    llvm::SmallVector<Value> items(a->items);
    items.append(b->items.begin(), b->items.end());
    return memory.tuple(items, a->isList, range);
  }
  if (op == BinaryOp::Add && s && t)
    return memory.text(std::string(*s) + std::string(*t), range);
  if (op == BinaryOp::Mod && s)
    return withValues(*s, b && !b->isList ? b->items : llvm::ArrayRef<Value>(right), range);
  if (op == BinaryOp::Mul && (a || s) && right.asInt())
    return repeat(left, *right.asInt(), range);
  if (op == BinaryOp::Mul && (b || t) && left.asInt())
    return repeat(right, *left.asInt(), range);
  return refuse(ast::spelling(op), left, right, range);
}

Value ConstexprOps::binary(BinaryOp op, const Value &left, const Value &right, SourceRange range) {
  if (!left.isNumber() || !right.isNumber())
    return sequences(op, left, right, range);
  const bool divides = op == BinaryOp::Div || op == BinaryOp::FloorDiv || op == BinaryOp::Mod;
  if (divides && *right.asDouble() == 0)
    return reporter.refuse(range, "division by zero");
  if (left.is<double>() || right.is<double>())
    return reals(op, *left.asDouble(), *right.asDouble(), range);
  bool bits = op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor;
  Value result = integers(op, *left.asInt(), *right.asInt(), range);
  // Bitwise operators keep truths what they are; all others make integers of them.
  if (bits && left.is<bool>() && right.is<bool>() && result.is<Int>())
    return *result.as<Int>() != 0;
  return result;
}

Value ConstexprOps::unary(ast::UnaryOp op, const Value &operand, SourceRange range) {
  if (op == ast::UnaryOp::Not)
    return !*truth(operand);
  if (const double *real = operand.as<double>(); real && op != ast::UnaryOp::Invert)
    return op == ast::UnaryOp::Negate ? -*real : *real;
  if (std::optional<Int> number = operand.asInt()) {
    if (op == ast::UnaryOp::Negate)
      return *number < -greatest ? overflow(range) : Value(Int(-*number));
    return op == ast::UnaryOp::Invert ? Int(~*number) : *number;
  }
  return reporter.refuse(range,
                         asCode(ast::spelling(op)) + ": expected a number, found " + describe(operand));
}

bool ConstexprOps::equalDicts(const Dict &left, const Dict &right) {
  // Quadratic in the number of keys, hence charged as such.
  if (left.isRecord || right.isRecord || left.items.size() != right.items.size() ||
      !memory.charge({}, left.items.size() * right.items.size()))
    return left.items.data() == right.items.data() && left.items.size() == right.items.size();
  return llvm::all_of(left.items, [&](const auto &entry) {
    return llvm::any_of(right.items, [&](const auto &other) {
      return equal(entry.first, other.first) && equal(entry.second, other.second);
    });
  });
}

bool ConstexprOps::equal(const Value &left, const Value &right) {
  if (left.isNumber() && right.isNumber()) {
    if (left.is<double>() || right.is<double>())
      return *left.asDouble() == *right.asDouble();
    return *left.asInt() == *right.asInt();
  }
  if (left.payload.index() != right.payload.index())
    return false;
  if (const auto *text = left.as<std::string_view>())
    return *text == *right.as<std::string_view>();
  if (const TypeValue *type = left.as<TypeValue>()) {
    const TypeValue *other = right.as<TypeValue>();
    if (type->known && other->known)
      return equal(*type->known, *other->known);
    return type->isVoid == other->isVoid && type->dtype == other->dtype && type->shape == other->shape;
  }
  if (const Tuple *tuple = left.as<Tuple>()) {
    const Tuple *other = right.as<Tuple>();
    return tuple->items.size() == other->items.size() && memory.charge({}, tuple->items.size()) &&
           std::equal(tuple->items.begin(), tuple->items.end(), other->items.begin(),
                      [&](const Value &a, const Value &b) { return equal(a, b); });
  }
  if (const Function *function = left.as<Function>())
    return function->definition == right.as<Function>()->definition;
  if (const BuiltinRef *ref = left.as<BuiltinRef>())
    return ref->builtin == right.as<BuiltinRef>()->builtin;
  if (const ModuleRef *module = left.as<ModuleRef>())
    return module->id == right.as<ModuleRef>()->id;
  if (const HostObject *host = left.as<HostObject>())
    return host->bound == right.as<HostObject>()->bound;
  if (const Dict *dict = left.as<Dict>())
    return equalDicts(*dict, *right.as<Dict>());
  if (const Lambda *lambda = left.as<Lambda>())
    return lambda->definition == right.as<Lambda>()->definition &&
           lambda->captured == right.as<Lambda>()->captured;
  if (const Range *range = left.as<Range>()) {
    const Range *other = right.as<Range>();
    uint64_t size = range->size();
    return size == other->size() && (size == 0 || range->start == other->start) &&
           (size < 2 || range->step == other->step);
  }
  return left.isNone() || left.is<EllipsisValue>();
}

std::optional<int> ConstexprOps::order(const Value &left, const Value &right) {
  auto sign = [](const auto &a, const auto &b) { return a < b ? -1 : b < a ? 1 : 0; };
  if (left.isNumber() && right.isNumber()) {
    if (left.is<double>() || right.is<double>())
      return sign(*left.asDouble(), *right.asDouble());
    return sign(*left.asInt(), *right.asInt());
  }
  const auto *s = left.as<std::string_view>(), *t = right.as<std::string_view>();
  if (s && t)
    return sign(*s, *t);
  const Tuple *a = sequenceOf(left), *b = sequenceOf(right);
  if (!a || !b)
    return std::nullopt;
  for (size_t i = 0; i < std::min(a->items.size(), b->items.size()); ++i)
    if (!equal(a->items[i], b->items[i]))
      return order(a->items[i], b->items[i]);
  return sign(a->items.size(), b->items.size());
}

std::optional<bool> ConstexprOps::contains(const Value &container, const Value &item) {
  if (const Tuple *tuple = sequenceOf(container))
    return llvm::any_of(tuple->items, [&](const Value &value) { return equal(value, item); });
  if (const Dict *dict = container.as<Dict>())
    return llvm::any_of(dict->items, [&](const auto &entry) { return equal(entry.first, item); });
  if (const Range *range = container.as<Range>(); range && item.asInt()) {
    Int offset = *item.asInt() - range->start;
    return offset % range->step == 0 && offset / range->step >= 0 &&
           offset / range->step < Int(range->size());
  }
  const auto *text = container.as<std::string_view>(), *part = item.as<std::string_view>();
  if (text && part)
    return text->find(*part) != std::string_view::npos;
  return std::nullopt;
}

Value ConstexprOps::compare(CompareOp op, const Value &left, const Value &right, SourceRange range) {
  switch (op) {
  case CompareOp::Eq:
  case CompareOp::Ne:
    return equal(left, right) == (op == CompareOp::Eq);
  case CompareOp::Is:
  case CompareOp::IsNot: {
    // Small integers, strings and types are one object each in Python; `1 is 1.0` is false.
    bool same = left.payload.index() == right.payload.index() && equal(left, right);
    return same == (op == CompareOp::Is);
  }
  case CompareOp::In:
  case CompareOp::NotIn:
    if (std::optional<bool> found = contains(right, left))
      return *found == (op == CompareOp::In);
    return refuse(ast::spelling(op), left, right, range);
  default:
    break;
  }
  bool unordered = (left.is<double>() && std::isnan(*left.as<double>())) ||
                   (right.is<double>() && std::isnan(*right.as<double>()));
  if (unordered && left.isNumber() && right.isNumber())
    return false;
  std::optional<int> sign = order(left, right);
  if (!sign)
    return refuse(ast::spelling(op), left, right, range);
  return op == CompareOp::Lt   ? *sign < 0
         : op == CompareOp::Le ? *sign <= 0
         : op == CompareOp::Gt ? *sign > 0
                               : *sign >= 0;
}
