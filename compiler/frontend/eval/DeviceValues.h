// Tells from the text which expressions are values of the device, whatever a kernel is compiled for.
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

namespace tegula::eval {

/// Returns true if `expr`, of the function at work, is a tensor or a number of the device for any types and
/// values of the kernel's parameters: a call of a function that makes one, arithmetic with such, or a name
/// that the function binds to nothing else. A parameter never is one, as it may be a tuple. `expr` may be
/// null.
bool isDeviceValue(Evaluation &evaluator, const ast::Expr *expr);

} // namespace tegula::eval
