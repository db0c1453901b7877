// The variables of a file, or of a function that a kernel is defined in, each evaluated when a kernel first
// reads it.
#pragma once

#include "compiler/frontend/eval/names/ModuleNames.h"
#include "compiler/frontend/eval/text/NamedTuples.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace tegula::eval {

class Globals {
public:
  Globals(Evaluation &evaluator, const Unit &unit) : evaluator(evaluator), unit(unit) {}

  /// The value of `name` when the unit's statements have run, those before the one at work if one is; absent
  /// when none of these binds it. `range`, in the current unit, is where it is read.
  std::optional<Value> find(std::string_view name, SourceRange range);
  /// The same for another unit, to which all statements have run.
  std::optional<Value> attribute(std::string_view name, SourceRange range);
  /// Returns where `name` got its last value.
  SourceRange definition(std::string_view name) const;
  /// Returns where a statement binds `name` first, if the one at work comes before it; else an empty range.
  SourceRange laterDefinition(std::string_view name);
  /// Returns true if the unit's statements bind `name`, be it to an unknown value.
  bool binds(std::string_view name);
  /// Returns true if the value of `name` is being computed, with no statement before the current one to take
  /// it from.
  bool isInTheMaking(std::string_view name) const;
  /// Returns true if `from module import *` binds `name`.
  bool exports(std::string_view name);
  /// Returns where all names of a module that is not found are imported, or null.
  const SourceRange *foreignStar();
  /// Returns the value that `stmt`, an import within a function of the unit, binds to `name`.
  Value boundByImport(const ast::Stmt &stmt, std::string_view name);
  /// Returns true if `stmt` runs without an error where it is an import; nothing where that is unknown.
  std::optional<bool> importSucceeds(const ast::Stmt &stmt);

  /// Returns the jit function that `name` means, also where it is bound to something else afterwards. Null
  /// where no condition that holds leads to one; with `undecided`, where two do and it is unknown which.
  const ast::FunctionStmt *jitFunction(std::string_view name, const UnknownOrigin *&undecided);

  /// Evaluates `import path`: a module, or a name without a value where it is not found.
  Value moduleAt(std::string_view path, SourceRange range);
  /// Returns true if the import of a module that is not found fails in Python as well: where its package is
  /// here. One whose first name is unknown may be installed.
  bool isKnownMissing(uint32_t level, std::string_view path);

private:
  /// A statement that binds a name.
  struct Site {
    const ast::Stmt *stmt;
    /// Alternative statement, which may hold instead, depending on an unknown value.
    const ast::Stmt *other = nullptr;
    const UnknownOrigin *choice = nullptr;
  };
  using Sites = llvm::SmallVector<Site, 2>;
  static constexpr size_t noSite = ~size_t(0);
  /// Outcome of the imports that a `try` begins with.
  enum class Outcome : uint8_t { Succeeds, Fails, Unknown };
  /// The statements that bind one name, in their order.
  struct State {
    Sites sites;
    std::optional<Value> value;
    /// While it is evaluated: the site at work. What the name means there is what came before.
    size_t active = noSite;
    bool collected = false;
  };

  /// Returns the state after all statements.
  State &wholeState(std::string_view name);
  /// Returns the state before the current statement; null where no statement before it binds `name`.
  State *earlierState(std::string_view name);
  /// Returns true if the unit's statements bind `name`, and the one at work comes before all that do, apart
  /// from imports of all names of a module. A function's variables have no such time: to read one that has no
  /// value yet is an error in Python.
  bool isReadEarly(std::string_view name);
  void collectOnce(State &state, std::string_view name);
  const ast::Stmt *statementAtWork() const;
  const std::vector<uint32_t> &bindingsOf(std::string_view name);
  Value afterRunning(const ast::Stmt *stmt, std::string_view name);
  Value evaluateSites(std::string_view name, State &state, size_t end, SourceRange range);
  std::optional<Value> starImported(ast::Block block, std::string_view name);
  Value valueOf(const ast::Stmt *stmt, std::string_view name, State &state, size_t site);
  Value assigned(const ast::Stmt *stmt, std::string_view name);

  // GlobalImports.cpp: what imports bind names to.
  Value imported(const ast::ImportStmt &stmt, std::string_view name);
  Value importedFrom(const ast::ImportFromStmt &stmt, std::string_view name);
  Value importedFrom(const ast::ImportFromStmt &stmt, std::string_view name, SourceRange range,
                     std::string_view boundAs);
  Value notFound(const ast::ImportFromStmt &stmt, std::string_view name, std::string_view boundAs);
  bool bindsByStar(const ast::ImportFromStmt &stmt, std::string_view name);
  Outcome outcomeOf(const ast::ImportStmt &stmt);
  Outcome outcomeOf(const ast::ImportFromStmt &stmt);
  bool hasName(const FileModule &module, const ast::ImportAlias &alias);
  bool isSearched(uint32_t level, std::string_view path) const;
  std::optional<Value> quietly(const ast::ImportFromStmt &stmt);

  // GlobalSites.cpp: which statements bind a name, conditions considered.
  void collect(ast::Block block, std::string_view name, Sites &sites);
  void collectIf(const ast::IfStmt &stmt, std::string_view name, Sites &sites);
  bool collectImports(const ast::IfStmt &stmt, std::string_view name, Sites &sites);
  void collectTry(const ast::TryStmt &stmt, std::string_view name, Sites &sites);
  /// A condition that is unknown, and the expression whose value would decide it, if that has a name.
  struct Undecided {
    SourceRange place;
    std::string decider;
  };
  void choose(llvm::ArrayRef<Sites> sides, const Undecided &condition, std::string_view name, Sites &sites);
  std::optional<bool> conditionOf(const ast::Expr *expr);
  bool isImport(const Site &site);
  bool leadsToLanguage(const Site &site, std::string_view name);
  const ast::ExceptHandler *handlerOfImports(const ast::TryStmt &stmt, std::string_view name, Sites &sites);
  bool collectWithin(const ast::IfStmt &stmt, std::string_view name, Sites &sites);
  bool collectWithin(const ast::TryStmt &stmt, std::string_view name, Sites &sites);
  bool isAtWorkIn(ast::Block block) const;
  bool isAtWorkIn(SourceRange range) const { return range.begin <= limit && limit < range.end; }
  /// Errors that the handlers of a `try` catch.
  enum class Raises : uint8_t { Anything, Imports };
  std::string deciderOf(const ast::TryStmt &stmt);
  static Raises raisedIn(const ast::TryStmt &stmt);
  bool succeeds(const ast::TryStmt &stmt);
  bool succeeds(const ast::IfStmt &stmt, Raises caught);
  bool succeeds(ast::Block block, Raises caught);
  bool succeeds(const ast::Stmt *stmt, Raises caught);
  bool evaluates(const ast::Expr *expr, Raises caught);
  bool callsUnknown(const ast::Expr *expr);

  Evaluation &evaluator;
  const Unit &unit;
  static constexpr uint32_t everything = ~uint32_t(0);
  /// Start of the current statement or condition: bindings of a name are looked for before it.
  uint32_t limit = everything;
  llvm::StringMap<State> states;
  /// States by name and by the limit up to which statements count.
  std::map<std::pair<std::string, uint32_t>, State> earlier;
  llvm::StringMap<std::vector<uint32_t>> bindings;     ///< where each statement that binds a name begins
  std::vector<std::unique_ptr<TupleClass>> classes;    ///< of named tuples that were read
  llvm::DenseMap<const ast::TryStmt *, bool> outcomes; ///< what `succeeds` said
};

} // namespace tegula::eval
