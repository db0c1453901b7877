// Pieces of the printer that expressions and statements share.
#pragma once

#include "compiler/frontend/Ast.h"

#include <span>
#include <string>

namespace tegula::ast {

/// "x, n: tl.constexpr = 4, *, flag=True", without parentheses.
std::string formatParameters(Parameters parameters);
/// "a, *b, key=c", without parentheses.
std::string formatArguments(std::span<const Argument> arguments);
/// "[T: int, *Ts]", or nothing.
std::string formatTypeParameters(TypeParameters parameters);

} // namespace tegula::ast
