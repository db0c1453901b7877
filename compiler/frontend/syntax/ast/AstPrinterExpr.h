// Pieces of the printer that expressions and statements share.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"

#include <span>
#include <string>

namespace tegula::ast {

/// `expr` where Python wants parentheses around `:=` and `yield`, such as behind `return`.
std::string formatTest(const Expr *expr);
/// `expr` as the value of a statement, where only `:=` wants them.
std::string formatValue(const Expr *expr);
/// "x, n: tl.constexpr = 4, *, flag=True", without parentheses.
std::string formatParameters(Parameters parameters);
/// "a, *b, key=c", without parentheses.
std::string formatArguments(std::span<const Argument> arguments);
/// "[T: int, *Ts]", or nothing.
std::string formatTypeParameters(TypeParameters parameters);

} // namespace tegula::ast
