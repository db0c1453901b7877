// Walks over the parts of expressions, and the names that they bind: `(name := value)`.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula::eval {

/// Calls `visit` with `expr`, which may be null, and all its parts. The bodies of lambdas are no parts.
void forEachExpr(const ast::Expr *expr, llvm::function_ref<void(const ast::Expr *)> visit);

/// True for `name` and `name.attribute.attribute`.
bool isPath(const ast::Expr *expr);

using NameVisitor = llvm::function_ref<void(const ast::NameExpr *)>;

/// Calls `visit` with each name that `expr` binds, which may be null. Lambdas bind names of their own.
void forEachNamed(const ast::Expr *expr, NameVisitor visit);

/// The same for the expressions of a statement, those in its blocks left out.
void forEachNamed(const ast::Stmt *stmt, NameVisitor visit);

} // namespace tegula::eval
