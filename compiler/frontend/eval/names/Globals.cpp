// Evaluates a name from the statements of a file.
#include "compiler/frontend/eval/names/Globals.h"

#include "compiler/frontend/eval/names/LanguageModules.h"
#include "compiler/frontend/eval/text/Bindings.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace tegula;
using namespace tegula::eval;

/// Returns true if `global name` is in `block`, the body of a function.
static bool isLeftToModule(ast::Block block, std::string_view name) {
  return anyStatement(block, [&](const ast::Stmt *stmt) {
    const auto *global = ast::as<ast::GlobalStmt>(stmt);
    return global && llvm::is_contained(global->names, name);
  });
}

SourceRange Globals::definition(std::string_view name) const {
  auto found = states.find(llvm::StringRef(name));
  return found == states.end() || found->second.sites.empty() ? SourceRange()
                                                              : found->second.sites.back().stmt->range;
}

/// Appends where each statement begins that binds `name`, those under conditions too.
static void appendBindings(ast::Block block, std::string_view name, std::vector<uint32_t> &places) {
  for (const ast::Stmt *stmt : block) {
    if (!binds({&stmt, 1}, name))
      continue;
    const bool isCompound = stmt->kind == ast::StmtKind::If || stmt->kind == ast::StmtKind::Try ||
                            stmt->kind == ast::StmtKind::With;
    const size_t before = places.size();
    if (isCompound)
      forEachNested(stmt, [&](ast::Block inner) { appendBindings(inner, name, places); });
    if (places.size() == before) // in a condition, or by `with ... as`
      places.push_back(stmt->range.begin);
  }
}

const std::vector<uint32_t> &Globals::bindingsOf(std::string_view name) {
  auto [known, isNew] = bindings.try_emplace(llvm::StringRef(name));
  if (isNew) {
    appendBindings(unit.body(), name, known->second);
    llvm::sort(known->second);
  }
  return known->second;
}

/// The statement of the unit's body in which the one at work stands, or that it is; null where none is at
/// work.
const ast::Stmt *Globals::statementAtWork() const {
  const ast::Block body = unit.body();
  auto next = llvm::upper_bound(
      body, limit, [](uint32_t place, const ast::Stmt *stmt) { return place < stmt->range.begin; });
  return limit == everything || next == body.begin() ? nullptr : *std::prev(next);
}

void Globals::collectOnce(State &state, std::string_view name) {
  // Files that import from each other nest as deep as calls do.
  Evaluation::Depth guard(evaluator, {});
  if (state.collected || !guard.ok)
    return;
  state.collected = true;
  state.active = 0; // its own condition cannot depend on it
  if (!isLeftToModule(unit.body(), name))
    collect(unit.body(), name, state.sites);
  state.active = noSite;
}

Globals::State &Globals::wholeState(std::string_view name) {
  State &state = states[llvm::StringRef(name)];
  llvm::SaveAndRestore<uint32_t> all(limit, everything);
  collectOnce(state, name);
  return state;
}

Globals::State *Globals::earlierState(std::string_view name) {
  const std::vector<uint32_t> &places = bindingsOf(name);
  const auto end = llvm::lower_bound(places, limit);
  if (limit == everything || end == places.begin())
    return nullptr;
  // Statements after the last binding make no difference, unless they tell which side of a condition runs.
  const ast::Stmt *around = statementAtWork();
  const bool isWithin = around && around->range.begin < limit && eval::binds({&around, 1}, name);
  if (!isWithin && end == places.end())
    return nullptr;
  State &state = earlier[{std::string(name), isWithin ? limit : *std::prev(end)}];
  collectOnce(state, name);
  return state.sites.empty() && state.active == noSite ? nullptr : &state;
}

bool Globals::isReadEarly(std::string_view name) {
  if (limit == everything || unit.function)
    return false;
  const std::vector<uint32_t> &places = bindingsOf(name);
  return !places.empty() && places.front() >= limit;
}

SourceRange Globals::laterDefinition(std::string_view name) {
  if (!isReadEarly(name))
    return {};
  const State &state = wholeState(name);
  return state.sites.empty() ? SourceRange() : state.sites.front().stmt->range;
}

bool Globals::isInTheMaking(std::string_view name) const {
  auto found = states.find(llvm::StringRef(name));
  return found != states.end() && !found->second.value && found->second.active == 0;
}

bool Globals::binds(std::string_view name) {
  return !wholeState(name).sites.empty() || starImported(unit.body(), name);
}

std::optional<Value> Globals::attribute(std::string_view name, SourceRange range) {
  llvm::SaveAndRestore<uint32_t> all(limit, everything);
  return find(name, range);
}

std::optional<Value> Globals::find(std::string_view name, SourceRange range) {
  Evaluation::Depth guard(evaluator, range);
  if (!guard.ok)
    return Value(Poison());
  if (std::optional<Value> given =
          evaluator.modules().givenValue(unit.moduleName() + "." + std::string(name)))
    return given;
  if (isReadEarly(name)) {
    State stars;
    collectOnce(stars, name);
    return stars.sites.empty() ? starImported(unit.body(), name)
                               : evaluateSites(name, stars, stars.sites.size(), range);
  }
  State *before = earlierState(name);
  State &state = before ? *before : states[llvm::StringRef(name)];
  if (state.value)
    return state.value;
  if (state.active != noSite) {
    if (state.active > 0)
      return evaluateSites(name, state, state.active, range);
    return evaluator.reporter.refuse(range, "the value of " + asCode(name) + " depends on itself");
  }
  if (!before)
    wholeState(name);
  if (state.sites.empty())
    return starImported(unit.body(), name);
  Value value = evaluateSites(name, state, state.sites.size(), range);
  // Mistakes in it have to be reported once reports are not quiet.
  if (!value.isPoison() || !evaluator.reporter.isQuiet())
    state.value = value;
  return value;
}

std::optional<Value> Globals::starImported(ast::Block block, std::string_view name) {
  std::optional<Value> found;
  for (const ast::Stmt *stmt : block) {
    const auto *from = ast::as<ast::ImportFromStmt>(stmt);
    std::optional<ModuleRef> module =
        from && from->star && !from->level ? moduleByPath(from->module) : std::nullopt;
    if (module)
      if (std::optional<Value> value = moduleAttribute(evaluator, *module, name))
        found = value;
    forEachNested(stmt, [&](ast::Block inner) {
      if (std::optional<Value> value = starImported(inner, name))
        found = value;
    });
  }
  return found;
}

Value Globals::evaluateSites(std::string_view name, State &state, size_t end, SourceRange range) {
  const size_t site = end - 1;
  if (const UnknownOrigin *choice = state.sites[site].choice)
    return Unknown{choice};
  llvm::SaveAndRestore active(state.active, site);
  llvm::SaveAndRestore<uint32_t> atWork(limit, state.sites[site].stmt->range.begin);
  Activation activation{&unit, asCode(name) + " is read here", range, evaluator.reporter.current()};
  // A lambda may keep the scope.
  Frame frame{.unit = &unit,
              .mode = Mode::Host,
              .scope = &evaluator.scopes.emplace_back(),
              .parent = evaluator.frame,
              .activation = activation};
  Value value = evaluator.within(frame, [&] { return valueOf(state.sites[site].stmt, name, state, site); });
  if (!isRuntime(value))
    return value;
  return evaluator.reporter.refuse(state.sites[site].stmt->range, "a tensor cannot be made outside a kernel");
}

/// Runs a loop, or a statement that changes a list, with what its variables are before it.
Value Globals::afterRunning(const ast::Stmt *stmt, std::string_view name) {
  forEachBoundName({&stmt, 1}, [&](std::string_view bound) {
    if (evaluator.frame->scope->findHere(bound) || !earlierState(bound))
      return;
    if (std::optional<Value> value = find(bound, stmt->range))
      evaluator.frame->scope->set(bound, {*value, stmt->range});
  });
  evaluator.exec(stmt);
  const Binding *binding = evaluator.frame->scope->find(name);
  return binding ? binding->value : Value(Poison());
}

Value Globals::valueOf(const ast::Stmt *stmt, std::string_view name, State &state, size_t site) {
  if (stmt->kind == ast::StmtKind::For || stmt->kind == ast::StmtKind::While || mutatedName(stmt))
    return afterRunning(stmt, name);
  if (const auto *function = ast::as<ast::FunctionStmt>(stmt))
    return Function{function, &unit};
  if (stmt->kind == ast::StmtKind::Import || stmt->kind == ast::StmtKind::ImportFrom)
    return boundByImport(*stmt, name);
  const auto *type = ast::as<ast::ClassStmt>(stmt);
  const auto *assign = ast::as<ast::AssignStmt>(stmt);
  const bool isPlain = assign && assign->targets.size() == 1 && ast::as<ast::NameExpr>(assign->targets[0]);
  if (std::unique_ptr<TupleClass> made = type      ? namedTupleClass(*type, unit)
                                         : isPlain ? namedTupleClass(name, assign->value, unit)
                                                   : nullptr) {
    classes.push_back(std::move(made));
    return Function{classes.back()->maker, classes.back().get()};
  }
  if (type)
    return evaluator.memory.unknown({.kind = UnknownOrigin::Kind::Class,
                                     .name = type->name,
                                     .unit = &unit,
                                     .range = type->nameRange,
                                     .type = type});
  if (stmt->kind == ast::StmtKind::AugAssign) {
    Value before = site ? evaluateSites(name, state, site, stmt->range) : Value(Poison());
    if (!site)
      evaluator.reporter.error(stmt->range, "name " + asCode(name) + " is not defined");
    evaluator.frame->scope->set(name, {before, stmt->range});
    evaluator.exec(stmt);
    return evaluator.frame->scope->findHere(name)->value;
  }
  return assigned(stmt, name);
}

Value Globals::assigned(const ast::Stmt *stmt, std::string_view name) {
  const auto *annotated = ast::as<ast::AnnAssignStmt>(stmt);
  const auto *assign = ast::as<ast::AssignStmt>(stmt);
  if (!assign && !annotated)
    return evaluator.reporter.refuse(stmt->range,
                                     "expected " + asCode(name) +
                                         " to be assigned by a plain statement for a kernel to read it");
  const ast::Expr *expr = assign ? assign->value : annotated->value;
  Value value = evaluator.eval(expr);
  auto bind = [&](const ast::Expr *target) {
    if (bindsTarget(target, name))
      evaluator.assign(target, value, expr->range);
  };
  if (annotated)
    bind(annotated->target);
  else
    for (const ast::Expr *target : assign->targets)
      bind(target);
  const Binding *binding = evaluator.frame->scope->find(name);
  return binding ? binding->value : Value(Poison());
}
