// Walks syntax trees: every statement and expression below a node, in the order of the text.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"

#include <functional>

namespace tegula::ast {

/// Receives the nodes of a walk. A false answer leaves out what is below the node; an absent function goes
/// on.
struct Visitor {
  std::function<bool(const Stmt &)> statement;
  std::function<bool(const Expr &)> expression;
};

/// Visits the statements of `block` and all below them: decorators, annotations and defaults included, names
/// of patterns not.
void walk(Block block, const Visitor &visitor);
void walk(const Stmt *stmt, const Visitor &visitor);
/// Visits `expr`, which may be null, and all below it.
void walk(const Expr *expr, const Visitor &visitor);

} // namespace tegula::ast
