// The syntax tree of a Python file.
//
// Nodes live in the arena of their Module: they are plain data, never destroyed one by one, refer to
// each other by const pointers and spans, and hold names as views (into the source text, or into the
// arena where a name was made up of several tokens). A node is told apart by its `kind`:
//
//     if (const auto *call = ast::as<ast::CallExpr>(expr)) ...
//     switch (expr->kind) { case ast::ExprKind::Name: ... }
//
// Depth is bounded: no expression is higher than `maxExprHeight`, and blocks nest at most
// `maxBlockDepth` deep, so that a recursive walk over any tree is safe.
#pragma once

#include "compiler/frontend/syntax/ast/AstExpr.h"
#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "compiler/frontend/syntax/text/Source.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace tegula::ast {

/// Blocks within blocks; the same number as CPython's.
inline constexpr uint32_t maxBlockDepth = 100;

//===--- statements -------------------------------------------------------------------------===//

enum class StmtKind : uint8_t {
  Expr, Assign, AugAssign, AnnAssign,
  Return, Raise, Assert, Delete, Pass, Break, Continue, Global, Nonlocal,
  Import, ImportFrom, TypeAlias,
  If, For, While, Try, With, Match, Function, Class,
};

struct Stmt {
  StmtKind kind;
  SourceRange range; ///< of a compound statement, to the end of its last block; decorators included
};

/// The base of each kind of statement.
template <StmtKind Kind> struct StmtOf : Stmt { static constexpr StmtKind classKind = Kind; };

/// The statements of a suite, one or more, except where a part is absent (an `else` not written).
using Block = std::span<const Stmt *const>;

struct ExprStmt : StmtOf<StmtKind::Expr> {
  const Expr *value;
};
/// `a = b = value`: targets from left to right.
struct AssignStmt : StmtOf<StmtKind::Assign> {
  ExprList targets;
  const Expr *value;
};
struct AugAssignStmt : StmtOf<StmtKind::AugAssign> {
  BinaryOp op;
  SourceRange opRange;
  const Expr *target; ///< a name, attribute or subscript
  const Expr *value;
};
struct AnnAssignStmt : StmtOf<StmtKind::AnnAssign> {
  const Expr *target; ///< a name, attribute or subscript
  const Expr *annotation;
  const Expr *value; ///< or null
};
struct ReturnStmt : StmtOf<StmtKind::Return> {
  const Expr *value; ///< or null
};
struct RaiseStmt : StmtOf<StmtKind::Raise> {
  const Expr *exception; ///< or null
  const Expr *cause;     ///< or null
};
struct AssertStmt : StmtOf<StmtKind::Assert> {
  const Expr *condition;
  const Expr *message; ///< or null
};
struct DeleteStmt : StmtOf<StmtKind::Delete> {
  ExprList targets;
};
struct PassStmt : StmtOf<StmtKind::Pass> {};
struct BreakStmt : StmtOf<StmtKind::Break> {};
struct ContinueStmt : StmtOf<StmtKind::Continue> {};
struct GlobalStmt : StmtOf<StmtKind::Global> {
  std::span<const std::string_view> names;
};
struct NonlocalStmt : StmtOf<StmtKind::Nonlocal> {
  std::span<const std::string_view> names;
};

struct ImportAlias {
  std::string_view name;   ///< "triton.language"
  std::string_view asName; ///< empty when there is no `as`
  SourceRange range;
};
/// `import triton, triton.language as tl`
struct ImportStmt : StmtOf<StmtKind::Import> {
  std::span<const ImportAlias> names;
};
/// `from ..module import a, b as c`
struct ImportFromStmt : StmtOf<StmtKind::ImportFrom> {
  std::string_view module; ///< without the leading dots; may be empty when there are some
  uint32_t level;          ///< number of leading dots
  bool star;               ///< `import *`; `names` is empty then
  std::span<const ImportAlias> names;
};

enum class TypeParameterKind : uint8_t { Plain, VarTuple, ParamSpec };
struct TypeParameter {
  TypeParameterKind kind;
  std::string_view name;
  const Expr *bound;        ///< or null
  const Expr *defaultValue; ///< or null
};
using TypeParameters = std::span<const TypeParameter>;
/// `type Name[T] = value`
struct TypeAliasStmt : StmtOf<StmtKind::TypeAlias> {
  std::string_view name;
  TypeParameters typeParameters;
  const Expr *value;
};

struct IfBranch {
  const Expr *condition;
  Block body;
};
/// `if`, its `elif`s in order, and `else`.
struct IfStmt : StmtOf<StmtKind::If> {
  std::span<const IfBranch> branches; ///< at least one
  Block elseBody;                     ///< empty when absent
};
struct ForStmt : StmtOf<StmtKind::For> {
  bool isAsync;
  const Expr *target;
  const Expr *iterable;
  Block body;
  Block elseBody; ///< empty when absent
};
struct WhileStmt : StmtOf<StmtKind::While> {
  const Expr *condition;
  Block body;
  Block elseBody; ///< empty when absent
};
struct ExceptHandler {
  const Expr *type;      ///< or null
  std::string_view name; ///< or empty
  Block body;
};
struct TryStmt : StmtOf<StmtKind::Try> {
  bool star; ///< handlers are `except*`
  Block body;
  std::span<const ExceptHandler> handlers;
  Block elseBody;    ///< empty when absent
  Block finallyBody; ///< empty when absent
};
struct WithItem {
  const Expr *context;
  const Expr *target; ///< or null
};
struct WithStmt : StmtOf<StmtKind::With> {
  bool isAsync;
  std::span<const WithItem> items;
  Block body;
};

enum class PatternKind : uint8_t {
  Value,    ///< a literal, a dotted name, a signed or complex number: `value`
  Capture,  ///< a name, or `_` with an empty `name`
  Star,     ///< `*name` within a sequence; `_` gives an empty `name`
  Sequence, ///< `[a, b]`, `(a, b)`, `a, b`: `children`
  Mapping,  ///< `{key: pattern, **name}`: `keys` with `children`; `name` is the rest or empty
  Class,    ///< `Name(a, b, key=c)`: `value` is the class; the last `keywords.size()` children have names
  Or,       ///< `a | b`: `children`
  As,       ///< `pattern as name`: one child
};
struct Pattern {
  PatternKind kind;
  SourceRange range;
  std::string_view name = {};
  const Expr *value = nullptr;
  ExprList keys = {};
  std::span<const std::string_view> keywords = {};
  std::span<const Pattern *const> children = {};
};
struct MatchCase {
  const Pattern *pattern;
  const Expr *guard; ///< or null
  Block body;
};
struct MatchStmt : StmtOf<StmtKind::Match> {
  const Expr *subject;
  std::span<const MatchCase> cases;
};

struct FunctionStmt : StmtOf<StmtKind::Function> {
  std::string_view name;
  SourceRange nameRange;
  bool isAsync;
  ExprList decorators; ///< without the `@`, from top to bottom; those of `f = D(f)` behind the function on top
  /// The decorator whose last name ends in `jit` (`@triton.jit`, `@jit(debug=True)`), or null.
  const Expr *jitDecorator;
  /// It has one, or it is an excerpt of a file by itself: the host that took it out knows that it is a jit
  /// function.
  bool isJit;
  /// It is decorated `@core.extern`: kernels call it, and it names a function of a library.
  bool isExtern;
  TypeParameters typeParameters;
  Parameters parameters;
  const Expr *returns; ///< or null
  Block body;
  /// Errors found in a function without a jit decorator; null when there are none. They do not fail the
  /// parse: a kernel file may hold host code that only Python understands. A caller that looks into such a
  /// function reports them instead; `parameters` and `body` are incomplete then.
  const std::vector<Diagnostic> *errors;
};
struct ClassStmt : StmtOf<StmtKind::Class> {
  std::string_view name;
  SourceRange nameRange;
  ExprList decorators;
  TypeParameters typeParameters;
  std::span<const Argument> arguments; ///< bases and keywords
  Block body;
};

//===--- casts ------------------------------------------------------------------------------===//

/// `node` as a `T`, or null when it is null or of another kind; for expressions, in AstExpr.h.
template <typename T> const T *as(const Stmt *node) {
  return node && node->kind == T::classKind ? static_cast<const T *>(node) : nullptr;
}

//===--- the tree ---------------------------------------------------------------------------===//

class Arena;

/// A parsed file: owns its nodes and shares its source. Immutable, hence safe to read from threads.
struct Module {
  explicit Module(std::shared_ptr<const SourceFile> source);
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  std::shared_ptr<const SourceFile> source;
  Block body; ///< may be empty
  std::unique_ptr<Arena> arena;
  std::vector<std::unique_ptr<const std::vector<Diagnostic>>> deferredErrors;
};

} // namespace tegula::ast
