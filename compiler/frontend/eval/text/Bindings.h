// Finds the names that the statements of a block bind, from the text: nothing is evaluated.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string_view>

namespace tegula::eval {

/// The bindings of one statement, without the statements in it: the targets of assignments, of `with` and of
/// loops, and the names of definitions and imports.
struct Bindings {
  llvm::function_ref<void(const ast::Expr *target)> target;
  llvm::function_ref<void(std::string_view name)> name;
  llvm::function_ref<void(ast::Block block)> nested; ///< each block of statements in it
};
void forEachBinding(const ast::Stmt *stmt, Bindings visit);

/// Calls `visit` with each block of statements in `stmt`.
void forEachNested(const ast::Stmt *stmt, llvm::function_ref<void(ast::Block)> visit);

/// Returns true if assigning to `target` binds `name`.
bool bindsTarget(const ast::Expr *target, std::string_view name);

/// Calls `visit` with each name that a statement of `block` binds, perhaps more than once. The variables of
/// `for` loops only with `loopVariables`.
void forEachBoundName(ast::Block block, llvm::function_ref<void(std::string_view)> visit,
                      bool loopVariables = true);

/// Returns true if `holds` is true of a statement of `block` or of one within; does not enter functions and
/// classes.
bool anyStatement(ast::Block block, llvm::function_ref<bool(const ast::Stmt *)> holds);

/// Returns true if `block` returns from its function; with `withValue`, if it returns a value.
bool hasReturn(ast::Block block, bool withValue = false);

/// Returns true if anything in `block` binds `name`; does not enter functions and classes.
bool binds(ast::Block block, std::string_view name);

/// The name under which `import a.b.c [as d]` (then `dotted`) or `from a import b [as c]` is bound.
std::string_view boundName(const ast::ImportAlias &alias, bool dotted);

/// The variable that `stmt`, such as `configs.append(x)`, changes without assigning to it; null for any other
/// statement.
const ast::NameExpr *mutatedName(const ast::Stmt *stmt);

/// Returns true if `handler` catches the error of an import that fails.
bool catchesImportError(const ast::ExceptHandler &handler);
/// Returns true if it catches nothing else.
bool catchesOnlyImportErrors(const ast::ExceptHandler &handler);

} // namespace tegula::eval
