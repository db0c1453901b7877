// Finds the statements that give a name its value: conditions that are known pick a side. Of unknown ones the
// side that alone defines the name does; where two do, the name has no value.
#include "compiler/frontend/eval/names/Globals.h"
#include "compiler/frontend/eval/text/Bindings.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

bool isJit(const ast::Stmt *stmt) {
  const auto *function = ast::as<ast::FunctionStmt>(stmt);
  return function && function->isJit;
}

/// The last function `name` in `block` and what is in it.
const ast::FunctionStmt *lastFunction(ast::Block block, std::string_view name) {
  const ast::FunctionStmt *found = nullptr;
  for (const ast::Stmt *stmt : block) {
    if (const auto *function = ast::as<ast::FunctionStmt>(stmt); function && function->name == name)
      found = function;
    forEachNested(stmt, [&](ast::Block inner) {
      if (const ast::FunctionStmt *nested = lastFunction(inner, name))
        found = nested;
    });
  }
  return found;
}

/// Returns true if all names of a module are imported under a condition in `block`.
bool hasStar(ast::Block block) {
  return llvm::any_of(block, [](const ast::Stmt *stmt) {
    const auto *from = ast::as<ast::ImportFromStmt>(stmt);
    bool found = from && from->star;
    if (stmt->kind == ast::StmtKind::If || stmt->kind == ast::StmtKind::Try ||
        stmt->kind == ast::StmtKind::With)
      forEachNested(stmt, [&](ast::Block inner) { found = found || hasStar(inner); });
    return found;
  });
}

/// Returns true if the statements of `block` may bind `name`, as far as the text shows.
bool mayBind(ast::Block block, std::string_view name) { return eval::binds(block, name) || hasStar(block); }

} // namespace

const ast::FunctionStmt *Globals::jitFunction(std::string_view name, const UnknownOrigin *&undecided) {
  for (const Site &site : llvm::reverse(wholeState(name).sites)) {
    if (site.choice && isJit(site.stmt) && isJit(site.other)) {
      undecided = site.choice;
      return nullptr;
    }
    for (const ast::Stmt *stmt : {site.stmt, site.other})
      if (const ast::FunctionStmt *function = stmt ? lastFunction({&stmt, 1}, name) : nullptr)
        return function;
  }
  return nullptr;
}

void Globals::collect(ast::Block block, std::string_view name, Sites &sites) {
  for (const ast::Stmt *stmt : block) {
    if (stmt->range.begin >= limit)
      return;
    if (const auto *from = ast::as<ast::ImportFromStmt>(stmt); from && from->star) {
      if (bindsByStar(*from, name))
        sites.push_back({stmt});
      continue;
    }
    if (!mayBind({&stmt, 1}, name))
      continue;
    if (const auto *branch = ast::as<ast::IfStmt>(stmt))
      collectIf(*branch, name, sites);
    else if (const auto *attempt = ast::as<ast::TryStmt>(stmt))
      collectTry(*attempt, name, sites);
    else if (const auto *with = ast::as<ast::WithStmt>(stmt); with && mayBind(with->body, name))
      collect(with->body, name, sites);
    else
      sites.push_back({stmt});
  }
}

bool Globals::isImport(const Site &site) {
  return !site.choice &&
         (site.stmt->kind == ast::StmtKind::Import || site.stmt->kind == ast::StmtKind::ImportFrom);
}

bool Globals::leadsToLanguage(const Site &site, std::string_view name) {
  if (!isImport(site))
    return false;
  Reporter::Quiet quiet(evaluator.reporter);
  Value value = boundByImport(*site.stmt, name);
  const Function *function = value.as<Function>();
  return function ? function->unit->isLibrary
                  : value.is<ModuleRef>() || value.is<BuiltinRef>() || value.is<TypeValue>();
}

std::optional<bool> Globals::conditionOf(const ast::Expr *expr) {
  Reporter::Quiet quiet(evaluator.reporter);
  llvm::SaveAndRestore<uint32_t> atWork(limit, expr->range.begin);
  evaluator.asked.clear();
  return truth(evaluator.evalHost(expr, unit));
}

/// Returns true if the current statement is one of `block`, or in one.
bool Globals::isAtWorkIn(ast::Block block) const {
  return !block.empty() && isAtWorkIn(SourceRange{block.front()->range.begin, block.back()->range.end});
}

/// While a statement under the conditions of `stmt` is at work, its side is the one that runs.
bool Globals::collectWithin(const ast::IfStmt &stmt, std::string_view name, Sites &sites) {
  if (!isAtWorkIn(stmt.range))
    return false;
  for (const ast::IfBranch &part : stmt.branches)
    if (isAtWorkIn(part.body))
      collect(part.body, name, sites);
  if (isAtWorkIn(stmt.elseBody))
    collect(stmt.elseBody, name, sites);
  return true;
}

/// The same for a `try`: a handler runs after some of the body has.
bool Globals::collectWithin(const ast::TryStmt &stmt, std::string_view name, Sites &sites) {
  if (!isAtWorkIn(stmt.range) || isAtWorkIn(stmt.finallyBody))
    return false;
  collect(stmt.body, name, sites);
  for (const ast::ExceptHandler &handler : stmt.handlers)
    if (isAtWorkIn(handler.body))
      collect(handler.body, name, sites);
  if (isAtWorkIn(stmt.elseBody))
    collect(stmt.elseBody, name, sites);
  return true;
}

/// Handles `if version(...) >= 3: from a import tanh` with an `else` that imports it from elsewhere: where
/// the condition is unknown, the first import that leads to the language is taken.
bool Globals::collectImports(const ast::IfStmt &stmt, std::string_view name, Sites &sites) {
  llvm::SmallVector<ast::Block, 4> blocks;
  for (const ast::IfBranch &branch : stmt.branches) {
    blocks.push_back(branch.body);
    if (conditionOf(branch.condition))
      return false;
  }
  blocks.push_back(stmt.elseBody);
  for (ast::Block block : blocks) {
    Sites found;
    collect(block, name, found);
    if (!llvm::all_of(found, [&](const Site &site) { return isImport(site); }))
      return false;
    if (found.empty() || !leadsToLanguage(found.back(), name))
      continue;
    sites.append(found);
    return true;
  }
  return false;
}

void Globals::collectIf(const ast::IfStmt &stmt, std::string_view name, Sites &sites) {
  if (collectWithin(stmt, name, sites) || collectImports(stmt, name, sites))
    return;
  llvm::SmallVector<Sites, 4> sides;
  SourceRange undecided;
  std::string decider;
  auto addSide = [&](ast::Block block) { collect(block, name, sides.emplace_back()); };
  for (const ast::IfBranch &branch : stmt.branches) {
    std::optional<bool> known = conditionOf(branch.condition);
    if (known && !*known)
      continue;
    addSide(branch.body);
    if (known)
      return choose(sides, {undecided, decider}, name, sites);
    if (undecided.end == 0) {
      undecided = branch.condition->range;
      decider = evaluator.asked;
    }
  }
  addSide(stmt.elseBody);
  choose(sides, {undecided, decider}, name, sites);
}

/// Appends what `name` gets on one of `sides`. A single side is the one that runs.
void Globals::choose(llvm::ArrayRef<Sites> sides, const Undecided &condition, std::string_view name,
                     Sites &sites) {
  llvm::SmallVector<const Sites *, 4> binding, defining;
  for (const Sites &side : sides) {
    if (side.empty())
      continue;
    binding.push_back(&side);
    if (!side.back().choice && isJit(side.back().stmt))
      defining.push_back(&side);
  }
  bool isKnown = sides.size() == 1;
  bool isAlone = binding.size() == 1 && (sites.empty() || isKnown);
  // `if HAS_TRITON: def kernel`, with an `else` that puts something in its place.
  bool isOnlyKernel = defining.size() == 1 && (sites.empty() || !isJit(sites.back().stmt));
  if (binding.empty())
    return;
  if (isAlone || isOnlyKernel) {
    sites.append(*(isAlone ? binding : defining).front());
    return;
  }
  const Site second = binding.back()->back();
  const Site first = binding.size() > 1 ? binding.front()->back() : sites.back();
  Value decider = evaluator.memory.text(condition.decider, {});
  Value unknown = evaluator.memory.unknown(
      {.kind = UnknownOrigin::Kind::Choice,
       .name = name,
       .unit = &unit,
       .range = first.stmt->range,
       .other = second.stmt->range,
       .condition = condition.place,
       .decider = decider.isPoison() ? std::string_view() : *decider.as<std::string_view>()});
  sites.push_back({second.stmt, first.stmt, unknown.as<Unknown>()->origin});
}

void Globals::collectTry(const ast::TryStmt &stmt, std::string_view name, Sites &sites) {
  if (collectWithin(stmt, name, sites))
    return;
  if (const ast::ExceptHandler *handler = handlerOfImports(stmt, name, sites)) {
    collect(handler->body, name, sites);
    return collect(stmt.finallyBody, name, sites);
  }
  Sites attempt, handled;
  collect(stmt.body, name, attempt);
  collect(stmt.elseBody, name, attempt);
  for (const ast::ExceptHandler &handler : stmt.handlers)
    if (handled.empty())
      collect(handler.body, name, handled);
  // `try: from triton.language.extra import libdevice`, `except ImportError: ...`: the first that this
  // compiler knows.
  bool imports = !attempt.empty() && isImport(attempt.back());
  if (succeeds(stmt) || (imports && (handled.empty() || leadsToLanguage(attempt.back(), name))))
    sites.append(attempt);
  else if (imports && leadsToLanguage(handled.back(), name))
    sites.append(handled);
  else
    choose({attempt, handled}, {{}, deciderOf(stmt)}, name, sites);
  collect(stmt.finallyBody, name, sites);
}

/// Returns the first expression of the `try` that may fail, as far as is known; empty where it has no name.
std::string Globals::deciderOf(const ast::TryStmt &stmt) {
  for (const ast::Stmt *inner : stmt.body) {
    evaluator.asked.clear();
    if (!succeeds(inner, raisedIn(stmt)))
      return evaluator.asked;
  }
  return {};
}

/// The handler that runs where an import at the top of the body is known to fail, after what binds `name`
/// before it has been appended to `sites`; null where none is known to.
const ast::ExceptHandler *Globals::handlerOfImports(const ast::TryStmt &stmt, std::string_view name,
                                                    Sites &sites) {
  auto handler = llvm::find_if(stmt.handlers, catchesImportError);
  if (handler == stmt.handlers.end())
    return nullptr;
  for (size_t i = 0; i < stmt.body.size(); ++i) {
    const auto *import = ast::as<ast::ImportStmt>(stmt.body[i]);
    const auto *from = ast::as<ast::ImportFromStmt>(stmt.body[i]);
    Outcome outcome = import                                   ? outcomeOf(*import)
                      : from                                   ? outcomeOf(*from)
                      : succeeds(stmt.body[i], raisedIn(stmt)) ? Outcome::Succeeds
                                                               : Outcome::Unknown;
    if (outcome == Outcome::Unknown)
      return nullptr;
    if (outcome == Outcome::Fails) {
      collect(stmt.body.first(i), name, sites);
      return &*handler;
    }
  }
  return nullptr;
}

/// Returns true if `expr` calls an unknown function, which may raise anything.
bool Globals::callsUnknown(const ast::Expr *expr) {
  bool found = false;
  forEachExpr(expr, [&](const ast::Expr *part) {
    if (const auto *call = ast::as<ast::CallExpr>(part))
      found = found || !evaluator.evalHost(call->callee, unit).is<BuiltinRef>();
  });
  return found;
}

bool Globals::evaluates(const ast::Expr *expr, Raises caught) {
  Reporter::Quiet quiet(evaluator.reporter);
  const std::string before = std::exchange(evaluator.asked, {});
  if (!evaluator.evalHost(expr, unit).isPoison()) {
    evaluator.asked = before;
    return true;
  }
  // A name without a value here has one in Python, and is read without an import.
  const bool isAsked = !evaluator.asked.empty();
  return caught == Raises::Imports && isAsked && !callsUnknown(expr);
}

Globals::Raises Globals::raisedIn(const ast::TryStmt &stmt) {
  return llvm::all_of(stmt.handlers, catchesOnlyImportErrors) ? Raises::Imports : Raises::Anything;
}

/// Returns true if the body of `stmt` runs to its end, as far as can be known.
bool Globals::succeeds(const ast::TryStmt &stmt) {
  // Its evaluation may ask for a name that the body itself binds.
  auto [known, isNew] = outcomes.try_emplace(&stmt, true);
  if (!isNew)
    return known->second;
  bool outcome = succeeds(stmt.body, raisedIn(stmt));
  outcomes[&stmt] = outcome;
  return outcome;
}

bool Globals::succeeds(ast::Block block, Raises caught) {
  return llvm::all_of(block, [&](const ast::Stmt *stmt) { return succeeds(stmt, caught); });
}

bool Globals::succeeds(const ast::Stmt *stmt, Raises caught) {
  llvm::SaveAndRestore<uint32_t> atWork(limit, stmt->range.begin);
  if (const auto *import = ast::as<ast::ImportStmt>(stmt))
    return outcomeOf(*import) == Outcome::Succeeds;
  if (const auto *from = ast::as<ast::ImportFromStmt>(stmt))
    return outcomeOf(*from) == Outcome::Succeeds;
  if (const auto *assign = ast::as<ast::AssignStmt>(stmt))
    return evaluates(assign->value, caught);
  if (const auto *annotated = ast::as<ast::AnnAssignStmt>(stmt))
    return !annotated->value || evaluates(annotated->value, caught);
  if (const auto *expr = ast::as<ast::ExprStmt>(stmt))
    return evaluates(expr->value, caught);
  if (const auto *branch = ast::as<ast::IfStmt>(stmt))
    return succeeds(*branch, caught);
  return stmt->kind == ast::StmtKind::Function || stmt->kind == ast::StmtKind::Class ||
         stmt->kind == ast::StmtKind::Pass;
}

/// Returns true if the sides of `stmt` that may run do so without an error.
bool Globals::succeeds(const ast::IfStmt &stmt, Raises caught) {
  for (const ast::IfBranch &part : stmt.branches) {
    const std::optional<bool> known = conditionOf(part.condition);
    if (!known && !evaluates(part.condition, caught))
      return false;
    if (known.value_or(true) && !succeeds(part.body, caught))
      return false;
    if (known.value_or(false))
      return true;
  }
  return succeeds(stmt.elseBody, caught);
}
