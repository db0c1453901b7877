// Finds what statements bind, from the text: nothing is evaluated.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"

#include <functional>
#include <string_view>

namespace tegula::ast {

/// Receives the bindings of one statement, without those of the statements in it. Absent functions receive
/// nothing.
struct Bindings {
  std::function<void(const Expr *target)> target;  ///< of assignments, of `with` and of loops
  std::function<void(std::string_view name)> name; ///< of definitions and imports
  std::function<void(Block block)> nested;         ///< each block of statements in it
};
void forEachBinding(const Stmt *stmt, const Bindings &visit);

/// Calls `visit` with each block of statements in `stmt`.
void forEachNested(const Stmt *stmt, const std::function<void(Block)> &visit);

/// Calls `visit` with each name that assigning to `target` binds.
void forEachTargetName(const Expr *target, const std::function<void(const NameExpr &)> &visit);

/// Returns true if assigning to `target` binds `name`.
bool bindsTarget(const Expr *target, std::string_view name);

/// The name under which `import a.b.c [as d]` (then `dotted`) or `from a import b [as c]` is bound.
std::string_view boundName(const ImportAlias &alias, bool dotted);

} // namespace tegula::ast
