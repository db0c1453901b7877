#include "compiler/frontend/eval/text/NamedExpressions.h"

#include "compiler/frontend/syntax/ast/AstWalk.h"

using namespace tegula;
using namespace tegula::eval;

using ExprVisitor = llvm::function_ref<void(const ast::Expr *)>;

/// Hands `visit` each expression but those in lambdas.
static std::function<bool(const ast::Expr &)> outsideLambdas(ExprVisitor visit) {
  return [visit](const ast::Expr &expr) {
    visit(&expr);
    return expr.kind != ast::ExprKind::Lambda;
  };
}

/// Hands `visit` each name that an expression binds outside of lambdas.
static std::function<bool(const ast::Expr &)> namesOutsideLambdas(NameVisitor visit) {
  return [visit](const ast::Expr &expr) {
    if (const auto *named = ast::as<ast::WalrusExpr>(&expr))
      visit(named->target);
    return expr.kind != ast::ExprKind::Lambda;
  };
}

void eval::forEachExpr(const ast::Expr *expr, ExprVisitor visit) {
  ast::walk(expr, {{}, outsideLambdas(visit)});
}

void eval::forEachNamed(const ast::Expr *expr, NameVisitor visit) {
  ast::walk(expr, {{}, namesOutsideLambdas(visit)});
}

void eval::forEachNamed(const ast::Stmt *stmt, NameVisitor visit) {
  const auto isItself = [stmt](const ast::Stmt &inside) { return &inside == stmt; };
  ast::walk(stmt, {isItself, namesOutsideLambdas(visit)});
}

bool eval::isPath(const ast::Expr *expr) {
  while (const auto *attribute = ast::as<ast::AttributeExpr>(expr))
    expr = attribute->object;
  return expr->kind == ast::ExprKind::Name;
}
