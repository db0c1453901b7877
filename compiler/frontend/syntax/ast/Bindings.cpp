#include "compiler/frontend/syntax/ast/Bindings.h"

namespace tegula::ast {

namespace {

/// Hands the parts of one statement to the functions that are there.
class Hand {
public:
  explicit Hand(const Bindings &visit) : visit(visit) {}

  void target(const Expr *expr) const {
    if (visit.target && expr)
      visit.target(expr);
  }
  void name(std::string_view name) const {
    if (visit.name)
      visit.name(name);
  }
  void imports(std::span<const ImportAlias> names, bool dotted) const {
    for (const ImportAlias &alias : names)
      name(boundName(alias, dotted));
  }
  void nested(Block block) const {
    if (visit.nested)
      visit.nested(block);
  }

private:
  const Bindings &visit;
};

} // namespace

void forEachBinding(const Stmt *stmt, const Bindings &visit) {
  const Hand hand(visit);
  if (const auto *assign = as<AssignStmt>(stmt)) {
    for (const Expr *target : assign->targets)
      hand.target(target);
  } else if (const auto *annotated = as<AnnAssignStmt>(stmt); annotated && annotated->value) {
    hand.target(annotated->target);
  } else if (const auto *augmented = as<AugAssignStmt>(stmt)) {
    hand.target(augmented->target);
  } else if (const auto *function = as<FunctionStmt>(stmt)) {
    hand.name(function->name);
  } else if (const auto *type = as<ClassStmt>(stmt)) {
    hand.name(type->name);
  } else if (const auto *import = as<ImportStmt>(stmt)) {
    hand.imports(import->names, /*dotted=*/true);
  } else if (const auto *from = as<ImportFromStmt>(stmt)) {
    hand.imports(from->names, /*dotted=*/false);
  } else if (const auto *branch = as<IfStmt>(stmt)) {
    for (const IfBranch &part : branch->branches)
      hand.nested(part.body);
    hand.nested(branch->elseBody);
  } else if (const auto *attempt = as<TryStmt>(stmt)) {
    hand.nested(attempt->body);
    for (const ExceptHandler &handler : attempt->handlers)
      hand.nested(handler.body);
    hand.nested(attempt->elseBody);
    hand.nested(attempt->finallyBody);
  } else if (const auto *with = as<WithStmt>(stmt)) {
    for (const WithItem &item : with->items)
      hand.target(item.target);
    hand.nested(with->body);
  } else if (const auto *loop = as<ForStmt>(stmt)) {
    hand.target(loop->target);
    hand.nested(loop->body);
    hand.nested(loop->elseBody);
  } else if (const auto *loop = as<WhileStmt>(stmt)) {
    hand.nested(loop->body);
    hand.nested(loop->elseBody);
  }
}

void forEachNested(const Stmt *stmt, const std::function<void(Block)> &visit) {
  forEachBinding(stmt, {.target = {}, .name = {}, .nested = visit});
}

void forEachTargetName(const Expr *target, const std::function<void(const NameExpr &)> &visit) {
  ExprList elements;
  if (const auto *variable = as<NameExpr>(target))
    visit(*variable);
  else if (const auto *tuple = as<TupleExpr>(target))
    elements = tuple->elements;
  else if (const auto *list = as<ListExpr>(target))
    elements = list->elements;
  else if (const auto *starred = as<StarredExpr>(target))
    forEachTargetName(starred->value, visit);
  for (const Expr *element : elements)
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
