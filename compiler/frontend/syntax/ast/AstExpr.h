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

using ExprList = std::span<const Expr *const>;

struct NameExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Name;
  std::string_view id;
};

enum class NumberKind : uint8_t { Int, Float, Imaginary };
struct NumberExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Number;
  NumberKind number;
  std::string_view text;            ///< as spelled: "0x1F", "1_000", "1e-5", "2j"
  std::optional<uint64_t> intValue; ///< of an Int that fits; larger ones are in `text` only
  double floatValue; ///< the value as a double; of an Imaginary, its imaginary part
};

/// One or more adjacent string literals without replacement fields, decoded and joined.
struct StringExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::String;
  bool isBytes;
  /// UTF-8 (a lone surrogate in its three-byte form), or raw bytes. `\N{name}` becomes U+FFFD: there
  /// is no table of character names here.
  std::string_view value;
};

/// Adjacent string literals of which at least one is an f-string: the parts in order.
struct FStringPart;
struct FStringExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::FString;
  const FStringPart *parts;
  uint32_t partCount;
  std::span<const FStringPart> partList() const; ///< the parts as a span
};
struct FStringPart {
  std::string_view text;       ///< literal text when `value` is null; else the text of `{value=}`
  const Expr *value;           ///< the expression of a replacement field
  char conversion;             ///< 'r', 's', 'a', or 0
  const FStringExpr *format;   ///< the format after the colon, or null
};
inline std::span<const FStringPart> FStringExpr::partList() const { return {parts, partCount}; }

enum class ConstantKind : uint8_t { None, True, False, Ellipsis };
struct ConstantExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Constant;
  ConstantKind constant;
};

struct TupleExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Tuple;
  bool parenthesized;
  ExprList elements;
};
struct ListExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::List;
  ExprList elements;
};
struct SetExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Set;
  ExprList elements;
};
struct DictItem {
  const Expr *key; ///< null for `**value`
  const Expr *value;
};
struct DictExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Dict;
  std::span<const DictItem> items;
};

enum class ComprehensionKind : uint8_t { List, Set, Dict, Generator };
struct ComprehensionClause {
  const Expr *target;
  const Expr *iterable;
  ExprList conditions;
  bool isAsync;
};
struct ComprehensionExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Comprehension;
  ComprehensionKind comprehension;
  const Expr *element; ///< of a Dict, the key
  const Expr *value;   ///< of a Dict, the value; else null
  std::span<const ComprehensionClause> clauses; ///< at least one
};

enum class UnaryOp : uint8_t { Not, Negate, Plus, Invert };
struct UnaryExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Unary;
  UnaryOp op;
  const Expr *operand;
};

enum class BinaryOp : uint8_t {
  Add, Sub, Mul, MatMul, Div, FloorDiv, Mod, Pow, ShiftLeft, ShiftRight, BitAnd, BitXor, BitOr,
};
struct BinaryExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Binary;
  BinaryOp op;
  SourceRange opRange;
  const Expr *left;
  const Expr *right;
};

enum class BoolOp : uint8_t { And, Or };
struct BoolExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Bool;
  BoolOp op;
  ExprList operands; ///< two or more: `a and b and c` is one node
};

enum class CompareOp : uint8_t { Eq, Ne, Lt, Le, Gt, Ge, Is, IsNot, In, NotIn };
struct CompareItem {
  CompareOp op;
  SourceRange opRange;
  const Expr *operand;
};
struct CompareExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Compare;
  const Expr *left;
  std::span<const CompareItem> rest; ///< one or more: `a < b < c` has two
};

struct ConditionalExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Conditional;
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

struct LambdaExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Lambda;
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
struct CallExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Call;
  const Expr *callee;
  std::span<const Argument> arguments;
};

struct AttributeExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Attribute;
  const Expr *object;
  std::string_view name;
  SourceRange nameRange;
};

/// `object[index]`; an index with commas is a TupleExpr, whose elements may be SliceExprs.
struct SubscriptExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Subscript;
  const Expr *object;
  const Expr *index;
};
/// `lower:upper:step` within an index; each may be null.
struct SliceExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Slice;
  const Expr *lower;
  const Expr *upper;
  const Expr *step;
};

struct StarredExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Starred;
  const Expr *value;
};
struct WalrusExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Walrus;
  const NameExpr *target;
  const Expr *value;
};
struct AwaitExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Await;
  const Expr *value;
};
struct YieldExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::Yield;
  const Expr *value; ///< or null
};
struct YieldFromExpr : Expr {
  static constexpr ExprKind classKind = ExprKind::YieldFrom;
  const Expr *value;
};

/// `node` as a `T`, or null when it is null or of another kind.
template <typename T> const T *as(const Expr *node) {
  return node && node->kind == T::classKind ? static_cast<const T *>(node) : nullptr;
}

/// "+", "//", "and", "not in": an operator as it is written.
std::string_view spelling(UnaryOp op);
std::string_view spelling(BinaryOp op);
std::string_view spelling(BoolOp op);
std::string_view spelling(CompareOp op);

} // namespace tegula::ast
