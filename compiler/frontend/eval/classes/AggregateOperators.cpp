// Operators of aggregates: the functions of a class that stand for them, as Python names them. Those of the
// left operand come first, whatever the right one is; then those of the right one, under their reflected
// names.
#include "compiler/frontend/eval/classes/Aggregates.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

struct OperatorNames {
  std::string_view plain, reflected;
};

OperatorNames namesOf(ast::BinaryOp op) {
  static constexpr OperatorNames names[] = {
      {"__add__", "__radd__"},       {"__sub__", "__rsub__"},         {"__mul__", "__rmul__"},
      {"__matmul__", "__rmatmul__"}, {"__truediv__", "__rtruediv__"}, {"__floordiv__", "__rfloordiv__"},
      {"__mod__", "__rmod__"},       {"__pow__", "__rpow__"},         {"__lshift__", "__rlshift__"},
      {"__rshift__", "__rrshift__"}, {"__and__", "__rand__"},         {"__xor__", "__rxor__"},
      {"__or__", "__ror__"}};
  return names[size_t(op)];
}

/// Returns the operators' method names; they are empty for a comparison that no class defines: `in`, `is` and
/// their opposites.
OperatorNames namesOf(ast::CompareOp op) {
  static constexpr OperatorNames names[] = {{"__eq__", "__eq__"}, {"__ne__", "__ne__"}, {"__lt__", "__gt__"},
                                            {"__le__", "__ge__"}, {"__gt__", "__lt__"}, {"__ge__", "__le__"}};
  return size_t(op) < std::size(names) ? names[size_t(op)] : OperatorNames();
}

std::string_view nameOf(ast::UnaryOp op) {
  static constexpr std::string_view names[] = {"__not__", "__neg__", "__pos__", "__invert__"};
  return names[size_t(op)];
}

bool isNotImplemented(const Value &value) {
  const BuiltinRef *ref = value.as<BuiltinRef>();
  return ref && ref->builtin->name == "NotImplemented";
}

} // namespace

std::optional<Value> Aggregates::callOperator(std::string_view name, const Value &self,
                                              llvm::ArrayRef<Value> others, SourceRange range) {
  const AggregateClass *made = aggregateOf(self);
  std::optional<Function> function = made ? made->function(name) : std::nullopt;
  if (!function)
    return std::nullopt;
  function->self = evaluator.memory.keep(self);
  Value result = evaluator.call(Value(*function), others, range);
  return isNotImplemented(result) ? std::nullopt : std::optional(result);
}

std::optional<Value> Aggregates::operatorOf(std::string_view plain, std::string_view reflected,
                                            const Value &left, const Value &right, SourceRange range) {
  if (std::optional<Value> result = callOperator(plain, left, right, range))
    return result;
  return callOperator(reflected, right, left, range);
}

Value Aggregates::refuseOperator(std::string_view spelling, std::string_view name, const Value &left,
                                 const Value &right, SourceRange range) {
  Diagnostic &diagnostic = evaluator.reporter.error(range, asCode(spelling) + " is not defined for " +
                                                               describe(left) + " and " + describe(right));
  const AggregateClass *made = aggregateOf(aggregateOf(left) ? left : right);
  evaluator.reporter.addNote(diagnostic, *made->unit, made->definition->nameRange,
                             "a class says what it does by a function " + asCode(name));
  return Poison();
}

std::optional<Value> Aggregates::binary(ast::BinaryOp op, const Value &left, const Value &right,
                                        SourceRange range) {
  if (!aggregateOf(left) && !aggregateOf(right))
    return std::nullopt;
  const OperatorNames names = namesOf(op);
  if (std::optional<Value> result = operatorOf(names.plain, names.reflected, left, right, range))
    return result;
  return refuseOperator(ast::spelling(op), names.plain, left, right, range);
}

std::optional<Value> Aggregates::compare(ast::CompareOp op, const Value &left, const Value &right,
                                         SourceRange range) {
  const OperatorNames names = namesOf(op);
  if (names.plain.empty() || (!aggregateOf(left) && !aggregateOf(right)))
    return std::nullopt;
  if (std::optional<Value> result = operatorOf(names.plain, names.reflected, left, right, range))
    return result;
  // Equality is there without a function: that of objects.
  if (op == ast::CompareOp::Eq || op == ast::CompareOp::Ne)
    return std::nullopt;
  return refuseOperator(ast::spelling(op), names.plain, left, right, range);
}

std::optional<Value> Aggregates::unary(ast::UnaryOp op, const Value &operand, SourceRange range) {
  const AggregateClass *made = aggregateOf(operand);
  if (!made)
    return std::nullopt;
  if (std::optional<Value> result = callOperator(nameOf(op), operand, {}, range))
    return result;
  Diagnostic &diagnostic =
      evaluator.reporter.error(range, asCode(ast::spelling(op)) + " is not defined for " + describe(operand));
  evaluator.reporter.addNote(diagnostic, *made->unit, made->definition->nameRange,
                             "a class says what it does by a function " + asCode(nameOf(op)));
  return Value(Poison());
}

Value Aggregates::logical(ast::BoolOp op, const Value &left, const Value &right, SourceRange range) {
  if (left.isPoison() || right.isPoison())
    return Poison();
  std::string_view name = op == ast::BoolOp::And ? "logical_and" : "logical_or";
  if (std::optional<Value> result = operatorOf(name, name, left, right, range))
    return *result;
  return refuseOperator(ast::spelling(op), name, left, right, range);
}
