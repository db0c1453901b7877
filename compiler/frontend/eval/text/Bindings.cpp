// Walks over statements for the names that they bind.
#include "compiler/frontend/eval/text/Bindings.h"

#include "compiler/frontend/eval/text/NamedExpressions.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::eval;

std::string_view eval::boundName(const ast::ImportAlias &alias, bool dotted) {
  if (!alias.asName.empty())
    return alias.asName;
  return dotted ? alias.name.substr(0, alias.name.find('.')) : alias.name;
}

void eval::forEachNested(const ast::Stmt *stmt, llvm::function_ref<void(ast::Block)> visit) {
  forEachBinding(stmt, {[](const ast::Expr *) {}, [](std::string_view) {}, visit});
}

bool eval::bindsTarget(const ast::Expr *target, std::string_view name) {
  if (const auto *variable = ast::as<ast::NameExpr>(target))
    return variable->id == name;
  ast::ExprList elements;
  if (const auto *tuple = ast::as<ast::TupleExpr>(target))
    elements = tuple->elements;
  else if (const auto *list = ast::as<ast::ListExpr>(target))
    elements = list->elements;
  else if (const auto *starred = ast::as<ast::StarredExpr>(target))
    return bindsTarget(starred->value, name);
  return std::any_of(elements.begin(), elements.end(),
                     [&](const ast::Expr *element) { return bindsTarget(element, name); });
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

void eval::forEachBinding(const ast::Stmt *stmt, Bindings visit) {
  if (const auto *assign = ast::as<ast::AssignStmt>(stmt))
    for (const ast::Expr *target : assign->targets)
      visit.target(target);
  else if (const auto *annotated = ast::as<ast::AnnAssignStmt>(stmt); annotated && annotated->value)
    visit.target(annotated->target);
  else if (const auto *augmented = ast::as<ast::AugAssignStmt>(stmt))
    visit.target(augmented->target);
  else if (const ast::NameExpr *changed = mutatedName(stmt))
    visit.target(changed);
  else if (const auto *function = ast::as<ast::FunctionStmt>(stmt))
    visit.name(function->name);
  else if (const auto *type = ast::as<ast::ClassStmt>(stmt))
    visit.name(type->name);
  else if (const auto *import = ast::as<ast::ImportStmt>(stmt))
    for (const ast::ImportAlias &alias : import->names)
      visit.name(boundName(alias, true));
  else if (const auto *from = ast::as<ast::ImportFromStmt>(stmt))
    for (const ast::ImportAlias &alias : from->names)
      visit.name(boundName(alias, false));
  else if (const auto *branch = ast::as<ast::IfStmt>(stmt)) {
    for (const ast::IfBranch &part : branch->branches)
      visit.nested(part.body);
    visit.nested(branch->elseBody);
  } else if (const auto *attempt = ast::as<ast::TryStmt>(stmt)) {
    visit.nested(attempt->body);
    for (const ast::ExceptHandler &handler : attempt->handlers)
      visit.nested(handler.body);
    visit.nested(attempt->elseBody);
    visit.nested(attempt->finallyBody);
  } else if (const auto *with = ast::as<ast::WithStmt>(stmt)) {
    for (const ast::WithItem &item : with->items)
      if (item.target)
        visit.target(item.target);
    visit.nested(with->body);
  } else if (const auto *loop = ast::as<ast::ForStmt>(stmt)) {
    visit.target(loop->target);
    visit.nested(loop->body);
    visit.nested(loop->elseBody);
  } else if (const auto *loop = ast::as<ast::WhileStmt>(stmt)) {
    visit.nested(loop->body);
    visit.nested(loop->elseBody);
  }
}

static void forEachTargetName(const ast::Expr *target, llvm::function_ref<void(std::string_view)> visit) {
  if (const auto *variable = ast::as<ast::NameExpr>(target))
    visit(variable->id);
  else if (const auto *tuple = ast::as<ast::TupleExpr>(target))
    for (const ast::Expr *element : tuple->elements)
      forEachTargetName(element, visit);
  else if (const auto *list = ast::as<ast::ListExpr>(target))
    for (const ast::Expr *element : list->elements)
      forEachTargetName(element, visit);
  else if (const auto *starred = ast::as<ast::StarredExpr>(target))
    forEachTargetName(starred->value, visit);
}

void eval::forEachBoundName(ast::Block block, llvm::function_ref<void(std::string_view)> visit,
                            bool loopVariables) {
  for (const ast::Stmt *stmt : block) {
    forEachNamed(stmt, [&](const ast::NameExpr *name) { visit(name->id); });
    forEachBinding(stmt, {[&](const ast::Expr *target) {
                            if (stmt->kind != ast::StmtKind::For || loopVariables)
                              forEachTargetName(target, visit);
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
  for (const ast::Stmt *stmt : block) {
    bool found = false;
    forEachNamed(stmt, [&](const ast::NameExpr *named) { found = found || named->id == name; });
    forEachBinding(stmt, {[&](const ast::Expr *target) { found = found || bindsTarget(target, name); },
                          [&](std::string_view bound) { found = found || bound == name; },
                          [&](ast::Block inner) { found = found || binds(inner, name); }});
    if (found)
      return true;
  }
  return false;
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
