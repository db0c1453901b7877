// Conditions of branches and loops.
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

namespace tegula::eval {

/// A condition: known, or an i1 scalar; both where a variable holds a constant.
struct Condition {
  std::optional<bool> known;
  mlir::Value runtime;
};
/// Nothing after a report.
std::optional<Condition> evalCondition(Evaluation &evaluator, const ast::Expr *expr);

/// The truth of `value`, which has to be known as `what`; nothing after a report.
std::optional<bool> knownCondition(Evaluation &evaluator, const Value &value, SourceRange range,
                                   std::string_view what);

/// Makes all names that `block` binds Poison: whether it runs is not known after a mistake.
void poison(Evaluation &evaluator, ast::Block block);

} // namespace tegula::eval
