// Subscripts: new axes of tensors, items and slices of what is known at compile time.
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

namespace tegula::eval {

/// The places in `object[index]`, for messages.
struct SubscriptPlace {
  SourceRange whole, object, index;
  const ast::SubscriptExpr *expr = nullptr; ///< where it is written as one
};
Value subscript(Evaluation &evaluator, const Value &object, const Value &index, const SubscriptPlace &place);

} // namespace tegula::eval
