#include "compiler/frontend/eval/text/Bindings.h"

#include "compiler/frontend/syntax/ast/AstWalk.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using namespace tegula::eval;

using ExprVisitor = llvm::function_ref<void(const ast::Expr *)>;

/// Hands `visit` each expression but those in lambdas, and those of statements within `around`.
static ast::Visitor outsideLambdas(ExprVisitor visit, const ast::Stmt *around = nullptr) {
  return {[around](const ast::Stmt &stmt) { return &stmt == around; },
          [visit](const ast::Expr &expr) {
            visit(&expr);
            return expr.kind != ast::ExprKind::Lambda;
          }};
}

void eval::forEachExpr(const ast::Expr *expr, ExprVisitor visit) { ast::walk(expr, outsideLambdas(visit)); }

/// Hands `visit` the name that `expr` by itself binds, if it does.
static void visitNamed(const ast::Expr *expr, NameVisitor visit) {
  if (const auto *named = ast::as<ast::WalrusExpr>(expr))
    visit(named->target);
}

void eval::forEachNamed(const ast::Expr *expr, NameVisitor visit) {
  forEachExpr(expr, [visit](const ast::Expr *part) { visitNamed(part, visit); });
}

void eval::forEachNamed(const ast::Stmt *stmt, NameVisitor visit) {
  auto visitPart = [visit](const ast::Expr *part) { visitNamed(part, visit); };
  ast::walk(stmt, outsideLambdas(visitPart, stmt));
}

bool eval::isPath(const ast::Expr *expr) {
  while (const auto *attribute = ast::as<ast::AttributeExpr>(expr))
    expr = attribute->object;
  return expr->kind == ast::ExprKind::Name;
}

const ast::NameExpr *eval::mutatedName(const ast::Stmt *stmt) {
  const auto *statement = ast::as<ast::ExprStmt>(stmt);
  const auto *call = statement ? ast::as<ast::CallExpr>(statement->value) : nullptr;
  const auto *method = call ? ast::as<ast::AttributeExpr>(call->callee) : nullptr;
  constexpr std::string_view mutators[] = {"append", "extend", "insert",  "pop",   "remove",
                                           "clear",  "sort",   "reverse", "update"};
  if (!method || !llvm::is_contained(mutators, method->name))
    return nullptr;
  return ast::as<ast::NameExpr>(method->object);
}

void eval::forEachBoundName(ast::Block block, llvm::function_ref<void(std::string_view)> visit,
                            bool loopVariables) {
  for (const ast::Stmt *stmt : block) {
    forEachNamed(stmt, [&](const ast::NameExpr *name) { visit(name->id); });
    if (const ast::NameExpr *changed = mutatedName(stmt))
      visit(changed->id);
    forEachBinding(stmt, {[&](const ast::Expr *target) {
                            if (stmt->kind != ast::StmtKind::For || loopVariables)
                              forEachTargetName(target, [&](const ast::NameExpr &name) { visit(name.id); });
                          },
                          visit, [&](ast::Block inner) { forEachBoundName(inner, visit, loopVariables); }});
  }
}

bool eval::anyStatement(ast::Block block, llvm::function_ref<bool(const ast::Stmt *)> holds) {
  return llvm::any_of(block, [&](const ast::Stmt *stmt) {
    bool found = holds(stmt);
    forEachNested(stmt, [&](ast::Block inner) { found = found || anyStatement(inner, holds); });
    return found;
  });
}

bool eval::hasReturn(ast::Block block, bool withValue) {
  return anyStatement(block, [&](const ast::Stmt *stmt) {
    const auto *end = ast::as<ast::ReturnStmt>(stmt);
    return end && (end->value || !withValue);
  });
}

bool eval::binds(ast::Block block, std::string_view name) {
  return llvm::any_of(block, [name](const ast::Stmt *stmt) {
    bool found = false;
    forEachBoundName({&stmt, 1}, [&](std::string_view bound) { found |= bound == name; });
    return found;
  });
}

/// Returns true if `except type` catches the error of an import that fails.
static bool takesImportError(const ast::Expr *type) {
  if (const auto *several = ast::as<ast::TupleExpr>(type))
    return llvm::any_of(several->elements, takesImportError);
  const auto *name = ast::as<ast::NameExpr>(type);
  constexpr std::string_view taking[] = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"};
  return !type || (name && llvm::is_contained(taking, name->id));
}

static bool isImportError(const ast::Expr *type) {
  if (const auto *several = ast::as<ast::TupleExpr>(type))
    return llvm::all_of(several->elements, isImportError);
  const auto *name = type ? ast::as<ast::NameExpr>(type) : nullptr;
  return name && (name->id == "ImportError" || name->id == "ModuleNotFoundError");
}

bool eval::catchesOnlyImportErrors(const ast::ExceptHandler &handler) { return isImportError(handler.type); }

bool eval::catchesImportError(const ast::ExceptHandler &handler) { return takesImportError(handler.type); }
