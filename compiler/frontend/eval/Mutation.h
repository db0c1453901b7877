// Statements that change a variable without assigning to it.
#pragma once

#include "compiler/frontend/syntax/Ast.h"

namespace tegula::eval {

/// The variable that `stmt`, such as `configs.append(x)`, changes; null for any other statement.
const ast::NameExpr *mutatedName(const ast::Stmt *stmt);

} // namespace tegula::eval
