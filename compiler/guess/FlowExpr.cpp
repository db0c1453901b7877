// Expressions of the walk.
#include "compiler/guess/Flow.h"
#include "compiler/guess/NameHints.h"

#include <optional>

namespace tegula::guess {

ast::ExprList elementsOf(const ast::Expr *expr) {
  if (const auto *tuple = ast::as<ast::TupleExpr>(expr))
    return tuple->elements;
  const auto *list = ast::as<ast::ListExpr>(expr);
  return list ? list->elements : ast::ExprList();
}

static bool isOfIntegers(ast::BinaryOp op) {
  using enum ast::BinaryOp;
  return op == FloorDiv || op == Mod || op == ShiftLeft || op == ShiftRight || op == BitAnd || op == BitXor ||
         op == BitOr;
}

Flowing Flow::binary(ast::BinaryOp op, const Flowing &left, const Flowing &right) {
  Flowing result = join(left, right);
  const bool ofIntegers = isOfIntegers(op);
  if (op != ast::BinaryOp::Add && op != ast::BinaryOp::Sub) {
    mark(left.sums, &Evidence::isNumber);
    mark(right.sums, &Evidence::isNumber);
    if (ofIntegers) {
      // Truths are combined by the same operators.
      if (!left.isTruth && !right.isTruth)
        mark(result.loaded, &Evidence::holdsIntegers);
      tag(left, Use::Integer);
      tag(right, Use::Integer);
    }
    result.sums.clear();
    result.isTruth = left.isTruth || right.isTruth;
  }
  if (!ofIntegers && left.loaded.any() != right.loaded.any())
    mark(left.loaded.any() ? right.sums : left.sums, &Evidence::meetsLoaded);
  return result;
}

void Flow::compareWith(const Flowing &value, const ast::Expr *operand, bool isAlone, ast::CompareOp op) {
  if (const auto *text = ast::as<ast::StringExpr>(operand)) {
    noteWords({text->value}, &value);
  } else if (const auto *constant = ast::as<ast::ConstantExpr>(operand)) {
    if (constant->constant == ast::ConstantKind::True || constant->constant == ast::ConstantKind::False)
      tag(value, Use::Truth);
  } else if (const auto *number = ast::as<ast::NumberExpr>(operand)) {
    if (number->intValue && *number->intValue <= uint64_t(INT32_MAX) && isAlone && op == ast::CompareOp::Eq)
      for (unsigned parameter : value.sums)
        seen.parameters[parameter].integers.insert(int64_t(*number->intValue));
  } else if (const auto *attribute = ast::as<ast::AttributeExpr>(operand)) {
    if (isDtypeName(attribute->name))
      tag(value, Use::ComparedDtype);
  }
}

Flowing Flow::compare(const ast::CompareExpr &expr, Scope &scope, unsigned depth) {
  std::vector<const ast::Expr *> operands{expr.left};
  for (const ast::CompareItem &item : expr.rest)
    operands.push_back(item.operand);
  std::vector<Flowing> values;
  for (const ast::Expr *operand : operands)
    values.push_back(evaluate(operand, scope, depth));
  const ast::CompareOp op = expr.rest.front().op;
  size_t names = 0;
  for (const ast::Expr *operand : operands)
    names += ast::as<ast::NameExpr>(operand) != nullptr;
  Flowing truth = empty();
  truth.isTruth = true;
  if (op == ast::CompareOp::In || op == ast::CompareOp::NotIn)
    return truth;
  for (const Flowing &value : values) {
    if (op == ast::CompareOp::Is || op == ast::CompareOp::IsNot) {
      mark(value.sums, &Evidence::isOptional);
      continue;
    }
    mark(value.sums, &Evidence::isNumber);
    for (const ast::Expr *operand : operands)
      compareWith(value, operand, names == 1, op);
  }
  return truth;
}

/// Returns the axis of a matrix that a vector becomes by this index: 0 by `[:, None]`, 1 by `[None, :]`.
static std::optional<unsigned> axisOf(const ast::Expr *index) {
  const auto *tuple = ast::as<ast::TupleExpr>(index);
  if (!tuple || tuple->elements.size() != 2)
    return std::nullopt;
  const auto isNone = [](const ast::Expr *one) {
    const auto *constant = ast::as<ast::ConstantExpr>(one);
    return constant && constant->constant == ast::ConstantKind::None;
  };
  if (ast::as<ast::SliceExpr>(tuple->elements[0]) && isNone(tuple->elements[1]))
    return 0;
  if (isNone(tuple->elements[0]) && ast::as<ast::SliceExpr>(tuple->elements[1]))
    return 1;
  return std::nullopt;
}

Flowing Flow::subscript(const ast::SubscriptExpr &expr, Scope &scope, unsigned depth) {
  const Flowing value = evaluate(expr.object, scope, depth);
  const auto *name = ast::as<ast::NameExpr>(expr.object);
  const bool isItem = ast::as<ast::NumberExpr>(expr.index) || ast::as<ast::NameExpr>(expr.index);
  // An item of what was passed, and not of a value made of it.
  if (name && isItem && value.sums.size() == 1 && value.loaded.none() && value.values.count() == 1) {
    Evidence &tuple = seen.parameters[value.sums.front()];
    tuple.isTuple = true;
    if (const auto *index = ast::as<ast::NumberExpr>(expr.index);
        index && index->intValue && *index->intValue < 32)
      tuple.items = std::max(tuple.items, unsigned(*index->intValue) + 1);
  }
  if (const std::optional<unsigned> axis = axisOf(expr.index))
    mark(value.sides, *axis == 0 ? &Evidence::isOfRows : &Evidence::isOfColumns);
  return value;
}

Flowing Flow::attribute(const ast::AttributeExpr &expr, Scope &scope, unsigned depth) {
  Flowing value = evaluate(expr.object, scope, depth);
  if (expr.name == "T")
    return value;
  if (isDtypeAttribute(expr.name) && ast::as<ast::NameExpr>(expr.object))
    tag(value, Use::ComparedDtype);
  Flowing result = empty();
  if (expr.name == "element_ty" && !value.sums.empty())
    seen.parameters[value.sums.front()].isPointer = true;
  else if ((expr.name == "dtype" || expr.name == "type") && !value.sums.empty())
    result.sums.push_back(value.sums.front());
  return result;
}

Flowing Flow::operation(const ast::Expr &expr, Scope &scope, unsigned depth) {
  if (const auto *binaryOperation = ast::as<ast::BinaryExpr>(&expr)) {
    const Flowing left = evaluate(binaryOperation->left, scope, depth);
    return binary(binaryOperation->op, left, evaluate(binaryOperation->right, scope, depth));
  }
  if (const auto *unary = ast::as<ast::UnaryExpr>(&expr)) {
    Flowing value = evaluate(unary->operand, scope, depth);
    if (unary->op == ast::UnaryOp::Not)
      tag(value, Use::Truth);
    value.sums.clear();
    return value;
  }
  if (const auto *choice = ast::as<ast::ConditionalExpr>(&expr)) {
    condition(choice->condition, scope, depth);
    const Flowing value = evaluate(choice->thenValue, scope, depth);
    return join(value, evaluate(choice->elseValue, scope, depth));
  }
  if (const auto *comparison = ast::as<ast::CompareExpr>(&expr))
    return compare(*comparison, scope, depth);
  condition(&expr, scope, depth);
  Flowing truth = empty();
  truth.isTruth = true;
  return truth;
}

Flowing Flow::comprehension(const ast::ComprehensionExpr &expr, Scope &scope, unsigned depth) {
  Scope inside = scope;
  for (const ast::ComprehensionClause &clause : expr.clauses) {
    Flowing item = evaluate(clause.iterable, inside, depth);
    item.sums.clear();
    assign(clause.target, item, nullptr, inside, depth);
  }
  return evaluate(expr.element, inside, depth);
}

Flowing Flow::elements(ast::ExprList list, Scope &scope, unsigned depth) {
  Flowing all = empty();
  for (const ast::Expr *element : list)
    all = join(all, evaluate(element, scope, depth));
  return all;
}

Flowing Flow::evaluate(const ast::Expr *expr, Scope &scope, unsigned depth) {
  if (!expr || isSpent())
    return empty();
  switch (expr->kind) {
  case ast::ExprKind::Name: {
    const auto found = scope.find(ast::as<ast::NameExpr>(expr)->id);
    return found == scope.end() ? empty() : found->second;
  }
  case ast::ExprKind::Binary:
  case ast::ExprKind::Unary:
  case ast::ExprKind::Conditional:
  case ast::ExprKind::Bool:
  case ast::ExprKind::Compare:
    return operation(*expr, scope, depth);
  case ast::ExprKind::Tuple:
  case ast::ExprKind::List:
    return elements(elementsOf(expr), scope, depth);
  case ast::ExprKind::Comprehension:
    return comprehension(*ast::as<ast::ComprehensionExpr>(expr), scope, depth);
  case ast::ExprKind::Starred:
    return evaluate(ast::as<ast::StarredExpr>(expr)->value, scope, depth);
  case ast::ExprKind::Walrus: {
    const auto *walrus = ast::as<ast::WalrusExpr>(expr);
    return scope[walrus->target->id] = evaluate(walrus->value, scope, depth);
  }
  case ast::ExprKind::Subscript:
    return subscript(*ast::as<ast::SubscriptExpr>(expr), scope, depth);
  case ast::ExprKind::Attribute:
    return attribute(*ast::as<ast::AttributeExpr>(expr), scope, depth);
  case ast::ExprKind::Call:
    return call(*ast::as<ast::CallExpr>(expr), scope, depth);
  default:
    return empty();
  }
}

} // namespace tegula::guess
