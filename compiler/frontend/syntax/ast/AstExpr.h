// Expressions of the syntax tree; Ast.h says how nodes live and are told apart.
#pragma once

#include "compiler/frontend/syntax/text/Source.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tegula::ast {

/// The longest path from an expression down to a leaf, in nodes: `a + b + c` is 3 high.
inline constexpr uint32_t maxExprHeight = 1000;
/// Brackets, prefix operators, lambdas and conditionals within each other; CPython's limit on brackets.
inline constexpr uint32_t maxNesting = 200;

enum class ExprKind : uint8_t {
  Name, Number, String, FString, Constant,
  Tuple, List, Set, Dict, Comprehension,
  Unary, Binary, Bool, Compare, Conditional, Lambda,
  Call, Attribute, Subscript, Slice, Starred, Walrus,
  Await, Yield, YieldFrom,
  Error, ///< stands in while a statement is abandoned; never in a finished tree
};

struct Expr {
  ExprKind kind;
  uint16_t height = 1; ///< 1 for a leaf, else one more than the highest operand
  SourceRange range;   ///< without enclosing parentheses, except a tuple written with them
};

/// The base of each kind of expression.
template <ExprKind Kind> struct ExprOf : Expr { static constexpr ExprKind classKind = Kind; };

using ExprList = std::span<const Expr *const>;

struct NameExpr : ExprOf<ExprKind::Name> {
  std::string_view id;
};

enum class NumberKind : uint8_t { Int, Float, Imaginary };
struct NumberExpr : ExprOf<ExprKind::Number> {
  NumberKind number;
  std::string_view text;            ///< as spelled: "0x1F", "1_000", "1e-5", "2j"
  std::optional<uint64_t> intValue; ///< of an Int that fits; larger ones are in `text` only
  double floatValue; ///< the value as a double; of an Imaginary, its imaginary part
};

/// One or more adjacent string literals without replacement fields, decoded and joined.
struct StringExpr : ExprOf<ExprKind::String> {
  bool isBytes;
  /// UTF-8 (a lone surrogate in its three-byte form), or raw bytes. `\N{name}` becomes U+FFFD: there
  /// is no table of character names here.
  std::string_view value;
};

struct FStringExpr;
struct FStringPart {
  std::string_view text;       ///< literal text when `value` is null; else the text of `{value=}`
  const Expr *value;           ///< the expression of a replacement field
  char conversion;             ///< 'r', 's', 'a', or 0
  const FStringExpr *format;   ///< the format after the colon, or null
};
/// Adjacent string literals of which at least one is an f-string: the parts in order.
struct FStringExpr : ExprOf<ExprKind::FString> {
  std::span<const FStringPart> parts;
};

enum class ConstantKind : uint8_t { None, True, False, Ellipsis };
struct ConstantExpr : ExprOf<ExprKind::Constant> {
  ConstantKind constant;
};

struct TupleExpr : ExprOf<ExprKind::Tuple> {
  bool parenthesized;
  ExprList elements;
};
struct ListExpr : ExprOf<ExprKind::List> {
  ExprList elements;
};
struct SetExpr : ExprOf<ExprKind::Set> {
  ExprList elements;
};
struct DictItem {
  const Expr *key; ///< null for `**value`
  const Expr *value;
};
struct DictExpr : ExprOf<ExprKind::Dict> {
  std::span<const DictItem> items;
};

enum class ComprehensionKind : uint8_t { List, Set, Dict, Generator };
struct ComprehensionClause {
  const Expr *target;
  const Expr *iterable;
  ExprList conditions;
  bool isAsync;
};
struct ComprehensionExpr : ExprOf<ExprKind::Comprehension> {
  ComprehensionKind comprehension;
  const Expr *element; ///< of a Dict, the key
  const Expr *value;   ///< of a Dict, the value; else null
  std::span<const ComprehensionClause> clauses; ///< at least one
};

enum class UnaryOp : uint8_t { Not, Negate, Plus, Invert };
struct UnaryExpr : ExprOf<ExprKind::Unary> {
  UnaryOp op;
  const Expr *operand;
};

enum class BinaryOp : uint8_t {
  Add, Sub, Mul, MatMul, Div, FloorDiv, Mod, Pow, ShiftLeft, ShiftRight, BitAnd, BitXor, BitOr,
};
struct BinaryExpr : ExprOf<ExprKind::Binary> {
  BinaryOp op;
  SourceRange opRange;
  const Expr *left;
  const Expr *right;
};

enum class BoolOp : uint8_t { And, Or };
struct BoolExpr : ExprOf<ExprKind::Bool> {
  BoolOp op;
  ExprList operands; ///< two or more: `a and b and c` is one node
};

enum class CompareOp : uint8_t { Eq, Ne, Lt, Le, Gt, Ge, Is, IsNot, In, NotIn };
struct CompareItem {
  CompareOp op;
  SourceRange opRange;
  const Expr *operand;
};
struct CompareExpr : ExprOf<ExprKind::Compare> {
  const Expr *left;
  std::span<const CompareItem> rest; ///< one or more: `a < b < c` has two
};

struct ConditionalExpr : ExprOf<ExprKind::Conditional> {
  const Expr *condition;
  const Expr *thenValue;
  const Expr *elseValue;
};

enum class ParameterKind : uint8_t {
  PositionalOnly, ///< before `/`
  Normal,         ///< by position or by name
  VarArgs,        ///< `*args`
  KeywordOnly,    ///< after `*` or `*args`
  VarKeywords,    ///< `**kwargs`
};
struct Parameter {
  std::string_view name;
  SourceRange nameRange;
  ParameterKind kind;
  const Expr *annotation;   ///< or null
  const Expr *defaultValue; ///< or null
};
using Parameters = std::span<const Parameter>;

struct LambdaExpr : ExprOf<ExprKind::Lambda> {
  Parameters parameters;
  const Expr *body;
};

enum class ArgumentKind : uint8_t { Positional, Keyword, Star, DoubleStar };
struct Argument {
  ArgumentKind kind;
  std::string_view name; ///< of a Keyword
  SourceRange nameRange; ///< of a Keyword
  const Expr *value;     ///< what follows the star of Star and DoubleStar
};
struct CallExpr : ExprOf<ExprKind::Call> {
  const Expr *callee;
  std::span<const Argument> arguments;
};

struct AttributeExpr : ExprOf<ExprKind::Attribute> {
  const Expr *object;
  std::string_view name;
  SourceRange nameRange;
};

/// `object[index]`; an index with commas is a TupleExpr, whose elements may be SliceExprs.
struct SubscriptExpr : ExprOf<ExprKind::Subscript> {
  const Expr *object;
  const Expr *index;
};
/// `lower:upper:step` within an index; each may be null.
struct SliceExpr : ExprOf<ExprKind::Slice> {
  const Expr *lower;
  const Expr *upper;
  const Expr *step;
};

struct StarredExpr : ExprOf<ExprKind::Starred> {
  const Expr *value;
};
struct WalrusExpr : ExprOf<ExprKind::Walrus> {
  const NameExpr *target;
  const Expr *value;
};
struct AwaitExpr : ExprOf<ExprKind::Await> {
  const Expr *value;
};
struct YieldExpr : ExprOf<ExprKind::Yield> {
  const Expr *value; ///< or null
};
struct YieldFromExpr : ExprOf<ExprKind::YieldFrom> {
  const Expr *value;
};

/// `node` as a `T`, or null when it is null or of another kind.
template <typename T> const T *as(const Expr *node) {
  return node && node->kind == T::classKind ? static_cast<const T *>(node) : nullptr;
}

/// The elements of a list or tuple that is written out; nothing for other expressions.
std::optional<ExprList> writtenElements(const Expr *expr);

/// The last part of a decorator's name: `autotune` of `@triton.autotune(...)`; empty for other expressions.
std::string_view decoratorName(const Expr *expr);

/// "+", "//", "and", "not in": an operator as it is written.
std::string_view spelling(UnaryOp op);
std::string_view spelling(BinaryOp op);
std::string_view spelling(BoolOp op);
std::string_view spelling(CompareOp op);

} // namespace tegula::ast
