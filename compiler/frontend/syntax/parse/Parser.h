// Text to syntax tree: Python 3.13's grammar, statement by statement.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"
#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "compiler/frontend/syntax/text/Source.h"

#include <memory>

namespace tegula {

/// Parses `source`. Errors go to `diagnostics`; the tree is always returned and holds every statement
/// that parsed, so that later work can say more, but it must not be compiled when there are errors.
/// Errors inside a function without a jit decorator are kept in `FunctionStmt::errors` instead; but one that
/// is an excerpt by itself is a jit function, decorated or not.
std::unique_ptr<ast::Module> parseModule(std::shared_ptr<const SourceFile> source,
                                         DiagnosticEngine &diagnostics);

} // namespace tegula
