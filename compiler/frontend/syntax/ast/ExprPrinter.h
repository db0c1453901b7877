// Writes expressions as Python source: one class, its parts in two files; and what statements take of it.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"

#include <span>
#include <string>

namespace tegula::ast {

/// Precedence of an expression; a looser one than its place requires gets parentheses.
enum Precedence {
  Loosest = 0,   // anything, `yield` included
  NamedLevel,    // an element of a display or call: `:=` and `*a` are allowed
  TestLevel,     // lambda, conditional, and up
  OrLevel,
  AndLevel, NotLevel, CompareLevel,
  BitOrLevel, BitXorLevel, BitAndLevel, ShiftLevel, SumLevel, ProductLevel,
  UnaryLevel, PowerLevel, AwaitLevel, PrimaryLevel,
};

/// Appends an expression's text to `out`, with the fewest parentheses.
class ExprPrinter {
public:
  /// In parentheses where it binds less tightly than `level`.
  void print(const Expr *expr, int level = Loosest);
  void parameters(Parameters list);
  void arguments(std::span<const Argument> list);

  std::string out;

private:
  template <typename T> const T &of(const Expr *expr) { return *static_cast<const T *>(expr); }

  void body(const Expr *expr);
  void operation(const Expr *expr);
  void binary(const BinaryExpr &expr);
  // AstPrinterDisplay.cpp
  void display(const Expr *expr);
  void list(ExprList elements);
  void index(const Expr *expr);
  void comprehension(const ComprehensionExpr &expr);
  void clauses(const ComprehensionExpr &expr);
  void fstring(const FStringExpr &expr, bool inFormat);

  /// Appends `text` so that it reads back the same between the quotes `"`.
  void escape(std::string_view text, bool bytes, bool braces);
};

/// `expr` where Python wants parentheses around `:=` and `yield`, such as behind `return`.
std::string formatTest(const Expr *expr);
/// `expr` as the value of a statement, where only `:=` wants them.
std::string formatValue(const Expr *expr);
/// "x, n: tl.constexpr = 4, *, flag=True", without parentheses.
std::string formatParameters(Parameters parameters);
/// "a, *b, key=c", without parentheses.
std::string formatArguments(std::span<const Argument> arguments);
/// "[T: int, *Ts]", or nothing.
std::string formatTypeParameters(TypeParameters parameters);

} // namespace tegula::ast
