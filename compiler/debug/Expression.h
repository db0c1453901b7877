// Expressions over the names of a stopped program: `pid == 3 and n > 5`, `a[3, :8]`, `max(abs(acc))`.
//
// The grammar is the language's own; of its functions these work here, alone or behind `tl.` and `tl.math.`:
// abs, min, max, sum, mean, any, all, where, exp, log, sqrt, isnan, isinf, isfinite, program_id; min to all
// along an axis, too, and `expected(out)`, an array as it should be. An index may be a mask, or numbers where
// there is one side. The difference of pointers is in elements. Values of the program have their types, in
// which is computed as a kernel computes: `a * b` of fp16 is rounded to fp16, and int32 wraps;
// `x.to(tl.float32)` converts. Tensors broadcast as they do in a kernel, where `and`, `or` and `not` are by
// element, too. A name that is an array of the launch is that array where it is subscripted.
#pragma once

#include "compiler/debug/Session.h"
#include "compiler/debug/Values.h"

#include "compiler/frontend/syntax/ast/Ast.h"

#include <memory>
#include <variant>

namespace tegula::debug {

/// An expression that has parsed.
class Expression {
public:
  /// Returns nothing, and sets `error`, where `text` is no expression.
  static std::optional<Expression> parse(const std::string &text, std::string &error);

  /// The value for the names of `scope`. Nothing, with `error` set, where it has
  /// none.
  std::optional<Value> evaluate(const Scope &scope, std::string &error) const;
  /// True if the value is: of a tensor if all elements are. False, with `error` set, where there is none.
  bool isTrue(const Scope &scope, std::string &error) const;
  /// The array and the index of its element, where the expression names one: `out[3, 17]`. Nothing, with
  /// `error` set, for all else.
  std::optional<std::pair<Array, uint64_t>> element(const Scope &scope, std::string &error) const;
  /// The expression as the condition of a breakpoint of `session`, for the innermost call.
  std::function<bool(std::string &error)> condition(const Session &session) const;
  /// The name, where the expression is nothing else; else empty.
  std::string name() const;

private:
  std::shared_ptr<const ast::Module> module;
  const ast::Expr *expression = nullptr;
};

/// The element that `text` names, as `Expression::element` does.
std::optional<std::pair<Array, uint64_t>> elementNamed(const std::string &text, const Scope &scope,
                                                       std::string &error);

} // namespace tegula::debug
