// Semantics of operators on run-time values: promotion, broadcasting and the errors of both, and the ops that
// compute the result. Operators on values that are all known at compile time are in ConstexprOps.
//
// Every function reports what is wrong at `range` and then returns nothing (or Poison).
#pragma once

#include "compiler/frontend/tracing/Emitter.h"
#include "compiler/frontend/values/Promotion.h"
#include "compiler/frontend/values/Report.h"
#include "compiler/spec/LanguageVersion.h"

#include <optional>
#include <string_view>

namespace tegula::eval {

/// `tl.PropagateNan`: what maximum and minimum do with a NaN.
enum class NanPolicy : uint8_t { None, All };

class Semantics {
public:
  Semantics(Emitter &emit, Reporter &reporter, const LanguageVersion &language, bool sanitizeOverflow)
      : emit(emit), reporter(reporter), language(language), sanitizeOverflow(sanitizeOverflow) {}

  struct Pair {
    Tensor left, right;
  };
  /// Ways to bring the operands of an operation together.
  struct Unify {
    bool divides = false;      ///< see `promote`
    bool leftPointer = false;  ///< the left one may be a pointer
    bool rightPointer = false; ///< the right one may be a pointer
    /// A number does not give way to the other side: it is a scalar of its own type, as a tensor would be.
    /// The language's operators of arithmetic and bits give numbers no type, its comparisons and functions
    /// do.
    bool typedNumbers = false;
  };

  /// A number known at compile time as a scalar of its own type; a tensor as it is.
  std::optional<Tensor> toTensor(const Value &value, SourceRange range);
  /// `value` converted to `to`, by way of the type it has on its own.
  std::optional<Tensor> convert(const Value &value, Dtype to, SourceRange range);
  /// The type that `toTensor` gives.
  std::optional<Dtype> typeOf(const Value &value, SourceRange range);

  /// `toTensor` of both.
  std::optional<Pair> toTensors(const Value &left, const Value &right, SourceRange range);
  /// Both operands in one type and one shape. `what` names the operation in messages: "`+`".
  std::optional<Pair> unify(const Value &left, const Value &right, Unify how, std::string_view what,
                            SourceRange range);

  Value binary(ast::BinaryOp op, const Value &left, const Value &right, SourceRange range);
  Value compare(ast::CompareOp op, const Value &left, const Value &right, SourceRange range);
  Value unary(ast::UnaryOp op, const Value &operand, SourceRange range);
  /// `and` and `or`: bitwise on truths.
  Value logical(ast::BoolOp op, const Value &left, const Value &right, SourceRange range);

  /// The larger one of two, elementwise, or the smaller one.
  Value extremum(bool largest, const Value &left, const Value &right, NanPolicy nan, SourceRange range);
  /// bf16 as fp32, in which every target compares; all else as it is.
  Tensor widenBFloat(Tensor tensor);
  Value select(const Value &condition, const Value &onTrue, const Value &onFalse, SourceRange range);

  /// `value` as a `to`, where the language has such a conversion.
  std::optional<Tensor> cast(Tensor tensor, Dtype to, SourceRange range,
                             Rounding rounding = Rounding::ToNearest);
  std::optional<Tensor> bitcast(Tensor tensor, Dtype to, SourceRange range);

  /// Gives both the shape to which both broadcast. `what` as in `unify`.
  bool broadcast(Tensor &left, Tensor &right, std::string_view what, SourceRange range);
  /// To exactly `shape`: of the tensor's rank unless it is a scalar.
  std::optional<Tensor> broadcastTo(Tensor tensor, Shape shape, SourceRange range);
  /// Returns true if a tensor may have `shape`.
  bool checkShape(llvm::ArrayRef<Int> shape, SourceRange range);

  Emitter &emit;
  Reporter &reporter;
  const LanguageVersion &language;
  /// Assert on the device that integer arithmetic does not overflow.
  bool sanitizeOverflow;

private:
  std::optional<Pair> unifyPointers(const Value &left, const Value &right, Unify how, std::string_view what,
                                    SourceRange range);
  /// The type of 8-bit floats that both come together in, if it is one: computed with in fp16.
  std::optional<Dtype> commonFloat8(const Value &left, const Value &right);
  /// Both in fp16 and one shape, by way of the 8-bit type they come together in.
  std::optional<Pair> widenFloat8(const Value &left, const Value &right, std::string_view what,
                                  SourceRange range);
  std::optional<Tensor> asOperand(const Value &value, Dtype common, SourceRange range);
  bool checkRange(const Value &number, Dtype common, SourceRange range);
  /// The result of `IfTrue` where `which` is true, else of `IfFalse`, on operands of one type.
  template <typename IfTrue, typename IfFalse> Tensor oneOf(bool which, Tensor a, Tensor b) {
    return {which ? emit.make<IfTrue>(a.ir, b.ir) : emit.make<IfFalse>(a.ir, b.ir), a.dtype};
  }
  Value negated(Tensor tensor);
  Value addPointer(Tensor pointer, Tensor offset);
  Value addOrSubtract(ast::BinaryOp op, const Value &left, const Value &right, SourceRange range);
  Value multiply(const Value &left, const Value &right, SourceRange range);
  Value divide(const Value &left, const Value &right, SourceRange range);
  Value floorDivide(const Value &left, const Value &right, SourceRange range);
  Value modulo(const Value &left, const Value &right, SourceRange range);
  Value bitwise(ast::BinaryOp op, const Value &left, const Value &right, SourceRange range);
  void assertNoOverflow(ast::BinaryOp op, Pair operands, SourceRange range);
  std::optional<Tensor> asTruth(const Value &value, SourceRange range);
  Value mismatch(const Value &left, const Value &right, std::string_view what, std::string_view expected,
                 SourceRange range);
};

} // namespace tegula::eval
