// The variables of a module, each evaluated when a kernel first reads it.
#pragma once

#include "compiler/frontend/eval/Evaluator.h"

#include "llvm/ADT/StringMap.h"

namespace tegula::eval {

class Globals {
public:
  Globals(Evaluator &evaluator, const Unit &unit) : evaluator(evaluator), unit(unit) {}

  /// The value of `name` when the module has run; absent when nothing binds it. `range`, in the current
  /// unit, is where it is read.
  std::optional<Value> find(std::string_view name, SourceRange range);
  /// Where `name` got its last value.
  SourceRange definition(std::string_view name) const;
  /// Calls `visit` with each name that the module binds.
  void forEachName(llvm::function_ref<void(std::string_view)> visit) const;

private:
  /// The statements that bind one name, in their order.
  struct State {
    llvm::SmallVector<const ast::Stmt *, 2> sites;
    std::optional<Value> value;
    /// While it is evaluated: the site at work. What the name means there is what came before.
    size_t active = ~size_t(0);
    bool collected = false;
  };

  State &stateOf(std::string_view name);
  Value afterRunning(const ast::Stmt *stmt, std::string_view name);
  Value evaluateSite(std::string_view name, State &state, size_t site, SourceRange range);
  Value evaluateSites(std::string_view name, State &state, size_t end, SourceRange range);
  void collect(ast::Block block, std::string_view name, llvm::SmallVectorImpl<const ast::Stmt *> &sites);
  void collectIf(const ast::IfStmt &stmt, std::string_view name,
                 llvm::SmallVectorImpl<const ast::Stmt *> &sites);
  bool collectImports(const ast::IfStmt &stmt, std::string_view name,
                      llvm::SmallVectorImpl<const ast::Stmt *> &sites);
  bool isForeignImport(const ast::Stmt *stmt, std::string_view name);
  void collectTry(const ast::TryStmt &stmt, std::string_view name,
                  llvm::SmallVectorImpl<const ast::Stmt *> &sites);
  std::optional<Value> starImported(ast::Block block, std::string_view name);
  Value valueOf(const ast::Stmt *stmt, std::string_view name, State &state, size_t site);
  Value imported(const ast::ImportStmt &stmt, std::string_view name);
  Value importedFrom(const ast::ImportFromStmt &stmt, std::string_view name, SourceRange range);

  Evaluator &evaluator;
  const Unit &unit;
  llvm::StringMap<State> states;
};

/// The module that `path` ("triton.language.math") names.
ModuleRef moduleByPath(std::string_view path);
/// A part of a module that is a module: `language` of `triton`.
std::optional<ModuleRef> submodule(ModuleId module, std::string_view name);

/// Calls `visit` with each name that a statement of `block` binds, perhaps more than once. The variables of
/// `for` loops only with `loopVariables`.
void forEachBoundName(ast::Block block, llvm::function_ref<void(std::string_view)> visit,
                      bool loopVariables = true);

/// Whether anything in `block` binds `name`; does not look into functions and classes.
bool binds(ast::Block block, std::string_view name);

} // namespace tegula::eval
