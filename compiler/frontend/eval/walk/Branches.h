// Branches on the device: `if` and conditional expressions whose condition is a run-time scalar become
// `scf.if`; what the two sides leave different becomes its results.
//
// A `return` in a branch ends the function there, so the statements after the `if` belong to the side that
// does not return:
//
//     if done:             scf.if %done { }
//         return           else { REST }
//     REST
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

namespace tegula::eval {

Value branch(Evaluation &evaluator, const ast::ConditionalExpr &expr, mlir::Value condition);
/// The branch `index` of `stmt`; `otherwise` walks those after it.
Flow branch(Evaluation &evaluator, const ast::IfStmt &stmt, size_t index, mlir::Value condition,
            llvm::function_ref<Flow()> otherwise);

} // namespace tegula::eval
