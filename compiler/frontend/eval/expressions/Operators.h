// Operators on any values: of aggregates by their functions, of tensors on the device, of all else at once.
#pragma once

#include "compiler/frontend/eval/Evaluation.h"

namespace tegula::eval {

Value binary(Evaluation &evaluator, ast::BinaryOp op, const Value &left, const Value &right,
             SourceRange range);
Value unary(Evaluation &evaluator, ast::UnaryOp op, const Value &operand, SourceRange range);
Value compare(Evaluation &evaluator, ast::CompareOp op, const Value &left, const Value &right,
              SourceRange range);

/// `result`, marked as a constant where one of its operands is.
Value combine(const Value &result, const Value &left, const Value &right);

} // namespace tegula::eval
