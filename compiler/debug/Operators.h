// Operators and functions on values of a debugger.
#pragma once

#include "compiler/debug/Values.h"

#include "compiler/frontend/syntax/ast/Ast.h"

namespace tegula::debug {

/// Each returns nothing, with `error` set, where the operands do not go together or there is no such
/// operation.
std::optional<Value> combine(ast::BinaryOp op, const Value &left, const Value &right, std::string &error);
std::optional<Value> compareValues(ast::CompareOp op, const Value &left, const Value &right,
                                   std::string &error);
/// `and` and `or`, element by element: where one operand decides, the other may be undefined.
std::optional<Value> combineTruths(ast::BoolOp op, const Value &left, const Value &right, std::string &error);
std::optional<Value> negate(ast::UnaryOp op, const Value &value, std::string &error);
/// Returns whether the function makes one value of several.
bool isReduction(const std::string &name);
/// Combines the elements along an axis, which counts from the end where it is negative. `name` is that of a
/// function that makes one value of several.
std::optional<Value> reduceAlong(const std::string &name, const Value &value, int64_t axis,
                                 std::string &error);
/// Calls a function by its name; Expression.h lists them.
std::optional<Value> callFunction(const std::string &name, const std::vector<Value> &arguments,
                                  std::string &error);

} // namespace tegula::debug
