// Loops on the device: `for` over `range` becomes `scf.for`, `while` becomes `scf.while`. The variables that
// the body assigns and that exist before the loop go round it; they keep their type.
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

namespace tegula::eval {

Flow loop(Evaluation &evaluator, const ast::ForStmt &stmt, const Value &iterable);
Flow loop(Evaluation &evaluator, const ast::WhileStmt &stmt);

} // namespace tegula::eval
