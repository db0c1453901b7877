#include "compiler/frontend/eval/text/NamedExpressions.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

using Visitor = llvm::function_ref<void(const ast::Expr *)>;

void visitAll(ast::ExprList list, Visitor visit) {
  for (const ast::Expr *expr : list)
    forEachExpr(expr, visit);
}

void visitComprehension(const ast::ComprehensionExpr &expr, Visitor visit) {
  forEachExpr(expr.element, visit);
  forEachExpr(expr.value, visit);
  for (const ast::ComprehensionClause &clause : expr.clauses) {
    forEachExpr(clause.iterable, visit);
    visitAll(clause.conditions, visit);
  }
}

/// Expressions that consist of one, two or three others.
void visitParts(const ast::Expr *expr, Visitor visit) {
  auto parts = [&](std::initializer_list<const ast::Expr *> list) {
    for (const ast::Expr *part : list)
      forEachExpr(part, visit);
  };
  if (const auto *unary = ast::as<ast::UnaryExpr>(expr))
    parts({unary->operand});
  else if (const auto *attribute = ast::as<ast::AttributeExpr>(expr))
    parts({attribute->object});
  else if (const auto *subscript = ast::as<ast::SubscriptExpr>(expr))
    parts({subscript->object, subscript->index});
  else if (const auto *slice = ast::as<ast::SliceExpr>(expr))
    parts({slice->lower, slice->upper, slice->step});
  else if (const auto *starred = ast::as<ast::StarredExpr>(expr))
    parts({starred->value});
  else if (const auto *conditional = ast::as<ast::ConditionalExpr>(expr))
    parts({conditional->condition, conditional->thenValue, conditional->elseValue});
  else if (const auto *named = ast::as<ast::WalrusExpr>(expr))
    parts({named->value});
}

} // namespace

// The height of expressions is bounded by the parser, but for sums, which lean to the left.
void eval::forEachExpr(const ast::Expr *expr, Visitor visit) {
  for (const auto *sum = ast::as<ast::BinaryExpr>(expr); sum; sum = ast::as<ast::BinaryExpr>(expr)) {
    forEachExpr(sum->right, visit);
    expr = sum->left;
  }
  if (!expr)
    return;
  visit(expr);
  if (const auto *call = ast::as<ast::CallExpr>(expr)) {
    forEachExpr(call->callee, visit);
    for (const ast::Argument &argument : call->arguments)
      forEachExpr(argument.value, visit);
  } else if (const auto *compare = ast::as<ast::CompareExpr>(expr)) {
    forEachExpr(compare->left, visit);
    for (const ast::CompareItem &item : compare->rest)
      forEachExpr(item.operand, visit);
  } else if (const auto *tuple = ast::as<ast::TupleExpr>(expr)) {
    visitAll(tuple->elements, visit);
  } else if (const auto *list = ast::as<ast::ListExpr>(expr)) {
    visitAll(list->elements, visit);
  } else if (const auto *boolean = ast::as<ast::BoolExpr>(expr)) {
    visitAll(boolean->operands, visit);
  } else if (const auto *dict = ast::as<ast::DictExpr>(expr)) {
    for (const ast::DictItem &item : dict->items) {
      forEachExpr(item.key, visit);
      forEachExpr(item.value, visit);
    }
  } else if (const auto *text = ast::as<ast::FStringExpr>(expr)) {
    for (const ast::FStringPart &part : text->partList()) {
      forEachExpr(part.value, visit);
      forEachExpr(part.format, visit);
    }
  } else if (const auto *comprehension = ast::as<ast::ComprehensionExpr>(expr)) {
    visitComprehension(*comprehension, visit);
  } else {
    visitParts(expr, visit);
  }
}

void eval::forEachNamed(const ast::Expr *expr, NameVisitor visit) {
  forEachExpr(expr, [&](const ast::Expr *part) {
    if (const auto *named = ast::as<ast::WalrusExpr>(part))
      visit(named->target);
  });
}

void eval::forEachNamed(const ast::Stmt *stmt, NameVisitor visit) {
  if (const auto *expr = ast::as<ast::ExprStmt>(stmt))
    forEachNamed(expr->value, visit);
  else if (const auto *assign = ast::as<ast::AssignStmt>(stmt))
    forEachNamed(assign->value, visit);
  else if (const auto *annotated = ast::as<ast::AnnAssignStmt>(stmt))
    forEachNamed(annotated->value, visit);
  else if (const auto *augmented = ast::as<ast::AugAssignStmt>(stmt))
    forEachNamed(augmented->value, visit);
  else if (const auto *result = ast::as<ast::ReturnStmt>(stmt))
    forEachNamed(result->value, visit);
  else if (const auto *loop = ast::as<ast::ForStmt>(stmt))
    forEachNamed(loop->iterable, visit);
  else if (const auto *loop = ast::as<ast::WhileStmt>(stmt))
    forEachNamed(loop->condition, visit);
  else if (const auto *check = ast::as<ast::AssertStmt>(stmt)) {
    forEachNamed(check->condition, visit);
    forEachNamed(check->message, visit);
  } else if (const auto *branch = ast::as<ast::IfStmt>(stmt)) {
    for (const ast::IfBranch &part : branch->branches)
      forEachNamed(part.condition, visit);
  }
}

bool eval::isPath(const ast::Expr *expr) {
  while (const auto *attribute = ast::as<ast::AttributeExpr>(expr))
    expr = attribute->object;
  return expr->kind == ast::ExprKind::Name;
}
