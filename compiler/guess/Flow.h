// Follows the parameters of a kernel into addresses and other uses: an abstract interpretation of its text
// and of the functions that it calls, twice over, so that loops hand on what they assign.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"
#include "compiler/guess/Evidence.h"

#include <functional>
#include <map>
#include <string_view>

namespace tegula::guess {

/// The parameters that a value is made of.
struct Flowing {
  Summands sums;       ///< added up in it
  ParameterSet values; ///< part of it in any way
  ParameterSet loaded; ///< loaded from these
  ParameterSet sides;  ///< say how long its ranges are
  bool isTruth = false;
};

/// Returns the elements of a tuple or a list; none of another expression.
ast::ExprList elementsOf(const ast::Expr *expr);

/// A walk over one kernel. Bounded: a text that goes on and on is left off somewhere.
class Flow {
public:
  /// Resolves names around the kernel: to the jit function that `name` calls, or null; and says whether
  /// `name` is the language or one of its modules.
  struct Names {
    std::function<const ast::FunctionStmt *(std::string_view name)> function;
    std::function<bool(std::string_view name)> isLanguage;
  };

  Flow(const ast::FunctionStmt &kernel, Names names);
  Seen take() { return std::move(seen); }

private:
  using Scope = std::map<std::string_view, Flowing>;

  // Flow.cpp
  Flowing block(ast::Block body, Scope &scope, unsigned depth);
  void statement(const ast::Stmt &stmt, Scope &scope, unsigned depth);
  void assign(const ast::Expr *target, const Flowing &value, const ast::Expr *from, Scope &scope,
              unsigned depth);
  void branch(const ast::IfStmt &branches, Scope &scope, unsigned depth);
  void condition(const ast::Expr *expr, Scope &scope, unsigned depth);

  // FlowExpr.cpp
  Flowing evaluate(const ast::Expr *expr, Scope &scope, unsigned depth);
  Flowing operation(const ast::Expr &expr, Scope &scope, unsigned depth);
  Flowing comprehension(const ast::ComprehensionExpr &expr, Scope &scope, unsigned depth);
  Flowing elements(ast::ExprList list, Scope &scope, unsigned depth);
  Flowing binary(ast::BinaryOp op, const Flowing &left, const Flowing &right);
  Flowing compare(const ast::CompareExpr &expr, Scope &scope, unsigned depth);
  void compareWith(const Flowing &value, const ast::Expr *operand, bool isAlone, ast::CompareOp op);
  Flowing subscript(const ast::SubscriptExpr &expr, Scope &scope, unsigned depth);
  Flowing attribute(const ast::AttributeExpr &expr, Scope &scope, unsigned depth);

  // FlowCalls.cpp
  struct Arguments;
  Flowing call(const ast::CallExpr &call, Scope &scope, unsigned depth);
  Flowing languageCall(std::string_view name, const Arguments &arguments);
  Flowing memory(std::string_view name, const Arguments &arguments);
  Flowing makeView(const Arguments &arguments);
  Flowing makeTensor(std::string_view name, const Arguments &arguments);
  Flowing cast(const Arguments &arguments);
  Flowing select(const Arguments &arguments);
  void noteWords(std::initializer_list<std::string_view> words, const Flowing *value);
  void keywordUses(const Arguments &arguments);
  Flowing functionCall(const ast::FunctionStmt &function, const Arguments &arguments, unsigned depth);

  // Evidence
  Flowing empty() const;
  Flowing join(const Flowing &left, const Flowing &right) const;
  Flowing joinAll(const Arguments &arguments) const;
  void tag(const Flowing &value, Use use);
  /// Notes that `value` is part of an address, or a bound of a range.
  void tagAddress(const Flowing &value);
  void mark(const ParameterSet &parameters, bool Evidence::*flag);
  void mark(const Summands &parameters, bool Evidence::*flag);
  void note(const Scope &scope);
  bool isSpent() { return budget == 0 || --budget == 0; }

  const Names names;
  Seen seen;
  /// Steps: enough for kernels of thousands of lines, a few milliseconds.
  uint32_t budget = 60'000;
};

} // namespace tegula::guess
