// Syntax trees as text: for `--emit=ast`, and for messages.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"

#include <string>

namespace tegula::ast {

/// `expr` as Python source on one line, with the fewest parentheses that keep its meaning.
std::string formatExpr(const Expr *expr);
std::string formatPattern(const Pattern *pattern);
/// `stmt` as Python source, each line ending in a newline and indented by `indent` blanks.
std::string formatStmt(const Stmt *stmt, unsigned indent = 0);
std::string formatModule(const Module &module);

/// The tree of `--emit=ast`: one statement a line, its line number in front, blocks indented,
/// expressions as Python source. Deterministic.
///
///     1  Import triton
///     4  Function add_kernel(x_ptr, n, BLOCK: tl.constexpr)
///     4    decorator triton.jit
///     5    Assign pid = tl.program_id(0)
std::string printModule(const Module &module);

} // namespace tegula::ast
