// One call at compile time: where it runs, what it was given and how far it has come.
//
// Two modes share one walk. In a kernel (Kernel) an assigned number becomes a run-time scalar and the
// module's variables are mostly out of reach, as the language has it; in code that Python would run
// before a kernel exists (Host: module-level constants, defaults, constexpr functions) everything is a
// Python value.
#pragma once

#include "compiler/frontend/values/Report.h"
#include "compiler/frontend/values/Scope.h"

namespace tegula::eval {

enum class Mode : uint8_t { Kernel, Host };

/// Effect of a statement on those after it.
enum class Flow : uint8_t { Next, Return, Break, Continue };

/// An argument of a call with its place.
struct Argument {
  Value value;
  SourceRange range;
  bool given = false;
  const ast::Expr *expr = nullptr; ///< where one was written
};
struct Arguments {
  llvm::SmallVector<Argument, 8> positional;
  llvm::SmallVector<std::pair<std::string_view, Argument>, 4> keywords;
};

/// The statements that follow the one at work, from the inside out: what a branch has to run through when
/// its other side returns.
struct Continuation {
  ast::Block rest;
  const Continuation *outer;
};

/// One function call, or the evaluation of one expression of a module.
struct Frame {
  const Unit *unit;
  Mode mode;
  Scope *scope;
  Scope *around = nullptr; ///< in a comprehension, which has a scope of its own: that of what it stands in
  const ast::FunctionStmt *function = nullptr; ///< null at module level
  const Arguments *arguments = nullptr;        ///< of the call; null where the host made it
  std::string_view self = {}; ///< in the `__init__` of an aggregate: what that calls the value that it makes
  Frame *parent = nullptr;
  Activation activation;
  Value returned = None();
  SourceRange returnRange; ///< of the `return` that gave it; empty where the end was reached
  /// Names that `name: tl.constexpr` has declared and nothing has assigned yet.
  llvm::SmallVector<std::string_view, 0> declared = {};
  /// A condition that compile-time values decide has chosen what runs: with others, something else might.
  bool isChosen = false;
  unsigned loops = 0; ///< loops around the statement, unrolled or not, within this call
  const Continuation *continuation = nullptr;
};

} // namespace tegula::eval
