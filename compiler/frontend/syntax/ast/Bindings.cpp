#include "compiler/frontend/syntax/ast/Bindings.h"

namespace tegula::ast {

void forEachBinding(const Stmt *stmt, const Bindings &visit) {
  const auto target = [&](const Expr *expr) {
    if (visit.target && expr)
      visit.target(expr);
  };
  const auto name = [&](std::string_view bound) {
    if (visit.name)
      visit.name(bound);
  };
  const auto imports = [&](std::span<const ImportAlias> names, bool dotted) {
    for (const ImportAlias &alias : names)
      name(boundName(alias, dotted));
  };
  const auto nested = [&](Block block) {
    if (visit.nested)
      visit.nested(block);
  };
  if (const auto *assign = as<AssignStmt>(stmt)) {
    for (const Expr *expr : assign->targets)
      target(expr);
  } else if (const auto *annotated = as<AnnAssignStmt>(stmt); annotated && annotated->value) {
    target(annotated->target);
  } else if (const auto *augmented = as<AugAssignStmt>(stmt)) {
    target(augmented->target);
  } else if (const auto *function = as<FunctionStmt>(stmt)) {
    name(function->name);
  } else if (const auto *type = as<ClassStmt>(stmt)) {
    name(type->name);
  } else if (const auto *import = as<ImportStmt>(stmt)) {
    imports(import->names, /*dotted=*/true);
  } else if (const auto *from = as<ImportFromStmt>(stmt)) {
    imports(from->names, /*dotted=*/false);
  } else if (const auto *branch = as<IfStmt>(stmt)) {
    for (const IfBranch &part : branch->branches)
      nested(part.body);
    nested(branch->elseBody);
  } else if (const auto *attempt = as<TryStmt>(stmt)) {
    nested(attempt->body);
    for (const ExceptHandler &handler : attempt->handlers)
      nested(handler.body);
    nested(attempt->elseBody);
    nested(attempt->finallyBody);
  } else if (const auto *with = as<WithStmt>(stmt)) {
    for (const WithItem &item : with->items)
      target(item.target);
    nested(with->body);
  } else if (const auto *loop = as<ForStmt>(stmt)) {
    target(loop->target);
    nested(loop->body);
    nested(loop->elseBody);
  } else if (const auto *loop = as<WhileStmt>(stmt)) {
    nested(loop->body);
    nested(loop->elseBody);
  }
}

void forEachNested(const Stmt *stmt, const std::function<void(Block)> &visit) {
  forEachBinding(stmt, {.target = {}, .name = {}, .nested = visit});
}

void forEachTargetName(const Expr *target, const std::function<void(const NameExpr &)> &visit) {
  if (const auto *variable = as<NameExpr>(target))
    visit(*variable);
  else if (const auto *starred = as<StarredExpr>(target))
    forEachTargetName(starred->value, visit);
  for (const Expr *element : writtenElements(target).value_or(ExprList()))
    forEachTargetName(element, visit);
}

bool bindsTarget(const Expr *target, std::string_view name) {
  bool found = false;
  forEachTargetName(target, [&](const NameExpr &variable) { found |= variable.id == name; });
  return found;
}

std::string_view boundName(const ImportAlias &alias, bool dotted) {
  if (!alias.asName.empty())
    return alias.asName;
  return dotted ? alias.name.substr(0, alias.name.find('.')) : alias.name;
}

} // namespace tegula::ast
