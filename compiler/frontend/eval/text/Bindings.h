// Finds the names that expressions and the statements of a block bind, as the evaluator takes them. Nothing
// is evaluated.
#pragma once

#include "compiler/frontend/syntax/ast/Bindings.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string_view>

namespace tegula::eval {

/// Calls `visit` with `expr`, which may be null, and all its parts. The bodies of lambdas are no parts.
void forEachExpr(const ast::Expr *expr, llvm::function_ref<void(const ast::Expr *)> visit);

/// True for `name` and `name.attribute.attribute`.
bool isPath(const ast::Expr *expr);

using NameVisitor = llvm::function_ref<void(const ast::NameExpr *)>;

/// Calls `visit` with each name that `expr`, which may be null, binds: `(name := value)`. Lambdas bind names
/// of their own.
void forEachNamed(const ast::Expr *expr, NameVisitor visit);
/// The same for the expressions of a statement, those in its blocks left out.
void forEachNamed(const ast::Stmt *stmt, NameVisitor visit);

/// Calls `visit` with each name that a statement of `block` binds or changes (`mutatedName`), perhaps more
/// than once. The variables of `for` loops only with `loopVariables`.
void forEachBoundName(ast::Block block, llvm::function_ref<void(std::string_view)> visit,
                      bool loopVariables = true);

/// Returns true if `holds` is true of a statement of `block` or of one within; does not enter functions and
/// classes.
bool anyStatement(ast::Block block, llvm::function_ref<bool(const ast::Stmt *)> holds);

/// Returns true if `block` returns from its function; with `withValue`, if it returns a value.
bool hasReturn(ast::Block block, bool withValue = false);

/// Returns true if anything in `block` binds or changes `name`; does not enter functions and classes.
bool binds(ast::Block block, std::string_view name);

/// The variable that `stmt`, such as `configs.append(x)`, changes without assigning to it; null for any other
/// statement.
const ast::NameExpr *mutatedName(const ast::Stmt *stmt);

/// Returns true if `handler` catches the error of an import that fails.
bool catchesImportError(const ast::ExceptHandler &handler);
/// Returns true if it catches nothing else.
bool catchesOnlyImportErrors(const ast::ExceptHandler &handler);

} // namespace tegula::eval
