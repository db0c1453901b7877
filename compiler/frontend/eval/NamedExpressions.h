// The names that expressions bind: `(name := value)`.
#pragma once

#include "compiler/frontend/syntax/Ast.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula::eval {

using NameVisitor = llvm::function_ref<void(const ast::NameExpr *)>;

/// Calls `visit` with each name that `expr` binds, which may be null. Lambdas bind names of their own.
void forEachNamed(const ast::Expr *expr, NameVisitor visit);

/// The same for the expressions of a statement, those in its blocks left out.
void forEachNamed(const ast::Stmt *stmt, NameVisitor visit);

} // namespace tegula::eval
