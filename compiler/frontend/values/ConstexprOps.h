// Python's operators on values known at compile time.
#pragma once

#include "compiler/frontend/values/Memory.h"

namespace tegula::eval {

/// Folds an operator on compile-time values, as Python computes it; integers are bounded to 127 bits. What
/// has no value is no operand: the caller has asked `findUnknown`.
/// Reports what Python would raise, and then gives Poison.
class ConstexprOps {
public:
  ConstexprOps(Memory &memory, Reporter &reporter) : memory(memory), reporter(reporter) {}

  Value binary(ast::BinaryOp op, const Value &left, const Value &right, SourceRange range);
  Value unary(ast::UnaryOp op, const Value &operand, SourceRange range);
  Value compare(ast::CompareOp op, const Value &left, const Value &right, SourceRange range);

  /// Python's `==`. Numbers compare by value, tuples and dicts by items, functions and types by identity.
  /// Neither has anything in it that has no value.
  bool equal(const Value &left, const Value &right);

private:
  bool equalDicts(const Dict &left, const Dict &right);
  // A divisor `right` is not zero.
  Value integers(ast::BinaryOp op, Int left, Int right, SourceRange range);
  Value reals(ast::BinaryOp op, double left, double right, SourceRange range);
  Value power(Int base, Int exponent, SourceRange range);
  Value shift(ast::BinaryOp op, Int left, Int right, SourceRange range);
  Value sequences(ast::BinaryOp op, const Value &left, const Value &right, SourceRange range);
  Value repeat(const Value &sequence, Int times, SourceRange range);
  Value withValues(std::string_view text, llvm::ArrayRef<Value> values, SourceRange range);
  /// -1, 0, 1; absent where the two have no order.
  std::optional<int> order(const Value &left, const Value &right);
  std::optional<bool> contains(const Value &container, const Value &item);
  Value refuse(std::string_view op, const Value &left, const Value &right, SourceRange range);
  Value overflow(SourceRange range);

  Memory &memory;
  Reporter &reporter;
};

} // namespace tegula::eval
