// Classes decorated `@tl.core._aggregate`: values of several fields with functions of their own.
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

#include <map>

namespace tegula::eval {

struct AggregateField {
  std::string_view name;
  const ast::Expr *annotation;
  const ast::Expr *defaultValue; ///< null where there is none
  const Unit *unit;              ///< that both stand in
};

/// A class with the fields of those that it derives from first, each once.
struct AggregateClass {
  const ast::ClassStmt *definition;
  const Unit *unit;
  llvm::SmallVector<const AggregateClass *, 2> bases;
  std::vector<AggregateField> fields;
  std::vector<std::string_view> fieldNames;
  TupleNames names; ///< of its values: what marks them

  /// The function `name` of the class, or of the first base that has it; null where none has.
  std::optional<Function> function(std::string_view name) const;
};

/// The aggregates of a program: their classes, and how values of them are made, read and changed.
class Aggregates {
public:
  explicit Aggregates(Evaluation &evaluator) : evaluator(evaluator) {}

  /// The aggregate that `type` is the class of, or null.
  const AggregateClass *classOf(const Value &type);
  Value construct(const AggregateClass &made, const Arguments &arguments, SourceRange range);
  /// A value as `object`, an aggregate, with `changes` of its fields.
  Value replaceFields(const Value &object, llvm::ArrayRef<std::pair<std::string_view, Argument>> changes,
                      SourceRange range);
  /// The field or function `name` of `object`, an aggregate.
  std::optional<Value> attribute(const Value &object, std::string_view name);
  /// `object.name = value`.
  void assign(const ast::AttributeExpr &target, const Value &value, SourceRange valueRange);
  /// Returns true if `value` is an instance of the class that `type` names, or of one that derives from it;
  /// nothing where it names none.
  std::optional<bool> isInstance(const Value &value, const Value &type);
  /// Returns true if `value` is an aggregate that a function of its class may change.
  bool changesItself(const Value &value) const;
  /// Returns true if it belongs to the class of an aggregate: then it runs as Python, with run-time values
  /// too.
  bool hasFunction(const Function &function) const;

  // Operators, in AggregateOperators.cpp: nothing where no operand is an aggregate.
  std::optional<Value> binary(ast::BinaryOp op, const Value &left, const Value &right, SourceRange range);
  /// Nothing also for comparisons that need no function.
  std::optional<Value> compare(ast::CompareOp op, const Value &left, const Value &right, SourceRange range);
  std::optional<Value> unary(ast::UnaryOp op, const Value &operand, SourceRange range);
  Value logical(ast::BoolOp op, const Value &left, const Value &right, SourceRange range);

private:
  /// Calls a function of the aggregate `self` with `others`; nothing where there is none of that name, or it
  /// returns `NotImplemented`.
  std::optional<Value> callOperator(std::string_view name, const Value &self, llvm::ArrayRef<Value> others,
                                    SourceRange range);
  /// The same by the left operand's function, else by the right one's.
  std::optional<Value> operatorOf(std::string_view plain, std::string_view reflected, const Value &left,
                                  const Value &right, SourceRange range);
  Value refuseOperator(std::string_view spelling, std::string_view name, const Value &left,
                       const Value &right, SourceRange range);
  Value fillFields(const AggregateClass &made, const Arguments &arguments, SourceRange range);
  bool fits(const AggregateClass &made, const AggregateField &field, const Value &value, SourceRange range);
  void refuseField(const AggregateClass &made, std::string_view name, SourceRange range);
  bool mayAssignTo(const ast::AttributeExpr &target) const;
  void replaceObject(const Tuple &before, const Value &after);

  Evaluation &evaluator;
  std::map<const ast::ClassStmt *, std::unique_ptr<AggregateClass>> classes; ///< null of other classes
};

} // namespace tegula::eval
