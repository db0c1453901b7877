// Module paths, and what a module's statements bind.
#include "compiler/frontend/eval/Modules.h"

#include "compiler/frontend/eval/Mutation.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

struct Path {
  std::string_view path;
  ModuleId id;
};
/// Every way to a module of the language.
constexpr Path paths[] = {
    {"triton", ModuleId::Triton},
    {"triton.language", ModuleId::Language},
    {"triton.language.core", ModuleId::Language},
    {"triton.language.standard", ModuleId::Language},
    {"triton.language.random", ModuleId::Language},
    {"triton.language.math", ModuleId::Math},
    {"triton.language.extra", ModuleId::Extra},
    {"triton.language.extra.cuda", ModuleId::Cuda},
    {"triton.language.extra.libdevice", ModuleId::Libdevice},
    {"triton.language.extra.cuda.libdevice", ModuleId::Libdevice},
    {"triton.language.libdevice", ModuleId::Libdevice},
    {"triton.language.target_info", ModuleId::TargetInfo},
    {"triton.language.PropagateNan", ModuleId::NanPolicy},
    {"triton.runtime", ModuleId::Runtime},
    {"triton.runtime.driver", ModuleId::Runtime},
    {"triton.runtime.driver.active", ModuleId::Driver},
    {"itertools", ModuleId::Itertools},
    {"math", ModuleId::PythonMath},
};

bool bindsTarget(const ast::Expr *target, std::string_view name) {
  if (const auto *variable = ast::as<ast::NameExpr>(target))
    return variable->id == name;
  ast::ExprList elements;
  if (const auto *tuple = ast::as<ast::TupleExpr>(target))
    elements = tuple->elements;
  else if (const auto *list = ast::as<ast::ListExpr>(target))
    elements = list->elements;
  else if (const auto *starred = ast::as<ast::StarredExpr>(target))
    return bindsTarget(starred->value, name);
  return std::any_of(elements.begin(), elements.end(),
                     [&](const ast::Expr *element) { return bindsTarget(element, name); });
}

/// The name under which `import a.b.c [as d]` is bound.
std::string_view boundName(const ast::ImportAlias &alias, bool dotted) {
  if (!alias.asName.empty())
    return alias.asName;
  return dotted ? alias.name.substr(0, alias.name.find('.')) : alias.name;
}

/// Calls `visit` with what a statement binds itself, and `nested` with its blocks.
template <typename Visit, typename Nested>
void forEachBinding(const ast::Stmt *stmt, Visit visit, Nested nested) {
  if (const auto *assign = ast::as<ast::AssignStmt>(stmt))
    for (const ast::Expr *target : assign->targets)
      visit(target, std::string_view());
  else if (const auto *annotated = ast::as<ast::AnnAssignStmt>(stmt); annotated && annotated->value)
    visit(annotated->target, std::string_view());
  else if (const auto *augmented = ast::as<ast::AugAssignStmt>(stmt))
    visit(augmented->target, std::string_view());
  else if (const ast::NameExpr *changed = mutatedName(stmt))
    visit(changed, std::string_view());
  else if (const auto *function = ast::as<ast::FunctionStmt>(stmt))
    visit(nullptr, function->name);
  else if (const auto *type = ast::as<ast::ClassStmt>(stmt))
    visit(nullptr, type->name);
  else if (const auto *import = ast::as<ast::ImportStmt>(stmt))
    for (const ast::ImportAlias &alias : import->names)
      visit(nullptr, boundName(alias, true));
  else if (const auto *from = ast::as<ast::ImportFromStmt>(stmt))
    for (const ast::ImportAlias &alias : from->names)
      visit(nullptr, boundName(alias, false));
  else if (const auto *branch = ast::as<ast::IfStmt>(stmt)) {
    for (const ast::IfBranch &part : branch->branches)
      nested(part.body);
    nested(branch->elseBody);
  } else if (const auto *attempt = ast::as<ast::TryStmt>(stmt)) {
    nested(attempt->body);
    for (const ast::ExceptHandler &handler : attempt->handlers)
      nested(handler.body);
    nested(attempt->elseBody);
    nested(attempt->finallyBody);
  } else if (const auto *with = ast::as<ast::WithStmt>(stmt)) {
    for (const ast::WithItem &item : with->items)
      if (item.target)
        visit(item.target, std::string_view());
    nested(with->body);
  } else if (const auto *loop = ast::as<ast::ForStmt>(stmt)) {
    visit(loop->target, std::string_view());
    nested(loop->body);
    nested(loop->elseBody);
  } else if (const auto *loop = ast::as<ast::WhileStmt>(stmt)) {
    nested(loop->body);
    nested(loop->elseBody);
  }
}

void forEachTargetName(const ast::Expr *target, llvm::function_ref<void(std::string_view)> visit) {
  if (const auto *variable = ast::as<ast::NameExpr>(target))
    visit(variable->id);
  else if (const auto *tuple = ast::as<ast::TupleExpr>(target))
    for (const ast::Expr *element : tuple->elements)
      forEachTargetName(element, visit);
  else if (const auto *list = ast::as<ast::ListExpr>(target))
    for (const ast::Expr *element : list->elements)
      forEachTargetName(element, visit);
}

} // namespace

void eval::forEachBoundName(ast::Block block, llvm::function_ref<void(std::string_view)> visit,
                            bool loopVariables) {
  for (const ast::Stmt *stmt : block)
    forEachBinding(
        stmt,
        [&](const ast::Expr *target, std::string_view name) {
          if (stmt->kind == ast::StmtKind::For && !loopVariables)
            return;
          if (target)
            forEachTargetName(target, visit);
          else
            visit(name);
        },
        [&](ast::Block inner) { forEachBoundName(inner, visit, loopVariables); });
}

ModuleRef eval::moduleByPath(std::string_view path) {
  for (const Path &known : paths)
    if (known.path == path)
      return {known.id, known.path};
  return {ModuleId::Foreign, path};
}

std::optional<ModuleRef> eval::submodule(ModuleId module, std::string_view name) {
  for (const Path &known : paths) {
    if (known.id != module)
      continue;
    for (const Path &part : paths)
      if (part.path.size() == known.path.size() + 1 + name.size() && part.path.starts_with(known.path) &&
          part.path.ends_with(name) && part.path[known.path.size()] == '.')
        return ModuleRef{part.id, part.path};
  }
  return std::nullopt;
}

bool eval::binds(ast::Block block, std::string_view name) {
  for (const ast::Stmt *stmt : block) {
    bool found = false;
    forEachBinding(
        stmt,
        [&](const ast::Expr *target, std::string_view bound) {
          found = found || (target ? bindsTarget(target, name) : bound == name);
        },
        [&](ast::Block inner) { found = found || binds(inner, name); });
    if (found)
      return true;
  }
  return false;
}

void Globals::forEachName(llvm::function_ref<void(std::string_view)> visit) const {
  forEachBoundName(unit.module->body, visit);
}

void Globals::collect(ast::Block block, std::string_view name,
                      llvm::SmallVectorImpl<const ast::Stmt *> &sites) {
  for (const ast::Stmt *stmt : block) {
    if (!binds({&stmt, 1}, name))
      continue;
    if (const auto *branch = ast::as<ast::IfStmt>(stmt))
      collectIf(*branch, name, sites);
    else if (const auto *attempt = ast::as<ast::TryStmt>(stmt))
      collectTry(*attempt, name, sites);
    else if (const auto *with = ast::as<ast::WithStmt>(stmt); with && binds(with->body, name))
      collect(with->body, name, sites);
    else
      sites.push_back(stmt);
  }
}

bool Globals::isForeignImport(const ast::Stmt *stmt, std::string_view name) {
  Reporter::Quiet quiet(evaluator.reporter);
  Value value = None();
  if (const auto *import = ast::as<ast::ImportStmt>(stmt))
    value = imported(*import, name);
  else if (const auto *from = ast::as<ast::ImportFromStmt>(stmt))
    value = importedFrom(*from, name, from->range);
  const ModuleRef *module = value.as<ModuleRef>();
  return value.isPoison() || (module && module->id == ModuleId::Foreign);
}

/// `if version(...) >= 3: from a import tanh` with an `else` that imports it from elsewhere: where the
/// condition asks what nobody here knows, the first import that is known will do.
bool Globals::collectImports(const ast::IfStmt &stmt, std::string_view name,
                             llvm::SmallVectorImpl<const ast::Stmt *> &sites) {
  llvm::SmallVector<ast::Block, 4> blocks;
  for (const ast::IfBranch &branch : stmt.branches) {
    blocks.push_back(branch.body);
    Reporter::Quiet quiet(evaluator.reporter);
    if (truth(evaluator.evalHost(branch.condition, unit)))
      return false;
  }
  blocks.push_back(stmt.elseBody);
  for (ast::Block block : blocks) {
    llvm::SmallVector<const ast::Stmt *, 2> found;
    collect(block, name, found);
    bool imports = llvm::all_of(found, [](const ast::Stmt *site) {
      return site->kind == ast::StmtKind::Import || site->kind == ast::StmtKind::ImportFrom;
    });
    if (!imports)
      return false;
    if (found.empty() || isForeignImport(found.back(), name))
      continue;
    sites.append(found);
    return true;
  }
  return false;
}

void Globals::collectIf(const ast::IfStmt &stmt, std::string_view name,
                        llvm::SmallVectorImpl<const ast::Stmt *> &sites) {
  if (collectImports(stmt, name, sites))
    return;
  for (const ast::IfBranch &branch : stmt.branches) {
    Value value = evaluator.evalHost(branch.condition, unit);
    std::optional<bool> known = truth(value);
    if (!known)
      return; // reported
    if (*known)
      return collect(branch.body, name, sites);
  }
  collect(stmt.elseBody, name, sites);
}

void Globals::collectTry(const ast::TryStmt &stmt, std::string_view name,
                         llvm::SmallVectorImpl<const ast::Stmt *> &sites) {
  // `try: from triton.language.extra import libdevice`, `except ImportError: ...`: the first that this
  // compiler knows.
  llvm::SmallVector<const ast::Stmt *, 2> attempt;
  collect(stmt.body, name, attempt);
  bool unknown = attempt.empty() ||
                 llvm::any_of(attempt, [&](const ast::Stmt *site) { return isForeignImport(site, name); });
  llvm::SmallVector<const ast::Stmt *, 2> handled;
  for (const ast::ExceptHandler &handler : stmt.handlers)
    if (unknown && handled.empty())
      collect(handler.body, name, handled);
  sites.append(handled.empty() ? attempt : handled);
  collect(stmt.elseBody, name, sites);
  collect(stmt.finallyBody, name, sites);
}

SourceRange Globals::definition(std::string_view name) const {
  auto found = states.find(llvm::StringRef(name));
  return found == states.end() || found->second.sites.empty() ? SourceRange()
                                                              : found->second.sites.back()->range;
}

Globals::State &Globals::stateOf(std::string_view name) {
  State &state = states[llvm::StringRef(name)];
  if (!state.collected) {
    state.collected = true;
    state.active = 0; // its own condition cannot depend on it
    collect(unit.module->body, name, state.sites);
    state.active = ~size_t(0);
  }
  return state;
}

std::optional<Value> Globals::find(std::string_view name, SourceRange range) {
  State &state = states[llvm::StringRef(name)];
  if (state.value)
    return state.value;
  if (state.active != ~size_t(0)) {
    if (state.active > 0)
      return evaluateSites(name, state, state.active, range);
    evaluator.reporter.error(range, "the value of `" + std::string(name) + "` depends on itself");
    return Value(Poison());
  }
  stateOf(name);
  if (state.sites.empty())
    return starImported(unit.module->body, name);
  Value value = evaluateSites(name, state, state.sites.size(), range);
  state.value = value;
  return value;
}

std::optional<Value> Globals::starImported(ast::Block block, std::string_view name) {
  std::optional<Value> found;
  for (const ast::Stmt *stmt : block) {
    const auto *from = ast::as<ast::ImportFromStmt>(stmt);
    if (from && from->star && !from->level)
      if (std::optional<Value> value = evaluator.moduleAttribute(moduleByPath(from->module), name))
        found = value;
    forEachBinding(
        stmt, [](const ast::Expr *, std::string_view) {},
        [&](ast::Block inner) {
          if (std::optional<Value> value = starImported(inner, name))
            found = value;
        });
  }
  return found;
}

Value Globals::evaluateSites(std::string_view name, State &state, size_t end, SourceRange range) {
  size_t outer = state.active;
  Value value = evaluateSite(name, state, end - 1, range);
  state.active = outer;
  return value;
}

Value Globals::evaluateSite(std::string_view name, State &state, size_t site, SourceRange range) {
  state.active = site;
  Activation activation{&unit, "`" + std::string(name) + "` is read here", range,
                        evaluator.reporter.current()};
  // A lambda may keep the scope.
  Scope &scope = evaluator.scopes.emplace_back();
  Frame frame{.unit = &unit,
              .mode = Mode::Host,
              .scope = &scope,
              .parent = evaluator.frame,
              .activation = activation};
  Reporter::Scope active(evaluator.reporter, frame.activation);
  Frame *previous = std::exchange(evaluator.frame, &frame);
  Value value = valueOf(state.sites[site], name, state, site);
  evaluator.frame = previous;
  if (!isRuntime(value))
    return value;
  evaluator.reporter.error(state.sites[site]->range, "a tensor cannot be made outside a kernel");
  return Poison();
}

/// Runs a loop, or a statement that changes a list, with what its variables are before it.
Value Globals::afterRunning(const ast::Stmt *stmt, std::string_view name) {
  forEachBoundName({&stmt, 1}, [&](std::string_view bound) {
    State &before = stateOf(bound);
    auto found = llvm::find(before.sites, stmt);
    if (found == before.sites.begin() || found == before.sites.end() ||
        evaluator.frame->scope->findHere(bound))
      return;
    Value value = evaluateSites(bound, before, size_t(found - before.sites.begin()), stmt->range);
    evaluator.frame->scope->set(bound, {value, stmt->range});
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
  if (const auto *import = ast::as<ast::ImportStmt>(stmt))
    return imported(*import, name);
  if (const auto *from = ast::as<ast::ImportFromStmt>(stmt))
    return importedFrom(*from, name, from->range);
  if (const auto *type = ast::as<ast::ClassStmt>(stmt))
    return ModuleRef{ModuleId::Foreign, type->name};
  const auto *annotated = ast::as<ast::AnnAssignStmt>(stmt);
  const auto *augmented = ast::as<ast::AugAssignStmt>(stmt);
  const auto *assign = ast::as<ast::AssignStmt>(stmt);
  if (augmented) {
    Value before = site ? evaluateSites(name, state, site, stmt->range) : Value(Poison());
    if (!site)
      evaluator.reporter.error(stmt->range, "undefined name `" + std::string(name) + "`");
    return evaluator.binary(augmented->op, before, evaluator.eval(augmented->value), stmt->range);
  }
  if (!assign && !annotated) {
    evaluator.reporter.error(stmt->range,
                             "expected `" + std::string(name) +
                                 "` to be assigned by a plain statement for a kernel to read it");
    return Poison();
  }
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

Value Globals::imported(const ast::ImportStmt &stmt, std::string_view name) {
  for (const ast::ImportAlias &alias : stmt.names)
    if (boundName(alias, true) == name)
      return moduleByPath(alias.asName.empty() ? alias.name.substr(0, alias.name.find('.')) : alias.name);
  return Poison();
}

Value Globals::importedFrom(const ast::ImportFromStmt &stmt, std::string_view name, SourceRange range) {
  for (const ast::ImportAlias &alias : stmt.names) {
    if (boundName(alias, false) != name)
      continue;
    ModuleRef module = stmt.level ? ModuleRef{ModuleId::Foreign, stmt.module} : moduleByPath(stmt.module);
    if (module.id != ModuleId::Foreign) {
      if (std::optional<Value> value = evaluator.moduleAttribute(module, alias.name))
        return *value;
      return evaluator.attribute(module, alias.name, alias.range);
    }
    // A file of the same project, or a package: whether it matters shows when it is used.
    return ModuleRef{ModuleId::Foreign, alias.name, stmt.module};
  }
  return Poison();
}
