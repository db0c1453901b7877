// Evaluates the imports of a file.
#include "compiler/frontend/eval/names/Globals.h"
#include "compiler/frontend/eval/names/LanguageModules.h"
#include "compiler/frontend/eval/text/Bindings.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// Modules of Python that programs around kernels import, though they are never looked for here.
bool isInstalled(std::string_view path) {
  constexpr std::string_view installed[] = {"builtins", "collections", "contextlib", "copy",    "dataclasses",
                                            "enum",     "functools",   "importlib",  "inspect", "itertools",
                                            "logging",  "numpy",       "operator",   "os",      "packaging",
                                            "re",       "sys",         "torch",      "typing",  "warnings"};
  return llvm::is_contained(installed, path.substr(0, path.find('.')));
}

std::string withDots(const ast::ImportFromStmt &stmt) {
  return std::string(stmt.level, '.') + std::string(stmt.module);
}

} // namespace

Value Globals::imported(const ast::ImportStmt &stmt, std::string_view name) {
  for (const ast::ImportAlias &alias : stmt.names) {
    if (boundName(alias, true) != name)
      continue;
    return moduleAt(alias.asName.empty() ? name : alias.name, stmt.range);
  }
  return Poison();
}

Value Globals::moduleAt(std::string_view path, SourceRange range) {
  if (std::optional<Value> module = evaluator.modules().importModule(unit, 0, path, range))
    return *module;
  return evaluator.memory.unknown({.kind = UnknownOrigin::Kind::Module,
                                   .name = path,
                                   .unit = &unit,
                                   .range = range,
                                   .path = path,
                                   .isSearched = isSearched(0, path)});
}

Value Globals::importedFrom(const ast::ImportFromStmt &stmt, std::string_view name) {
  if (stmt.star)
    return importedFrom(stmt, name, stmt.range, name);
  for (const ast::ImportAlias &alias : stmt.names)
    if (boundName(alias, false) == name)
      return importedFrom(stmt, alias.name, alias.range, name);
  return Poison();
}

/// Returns `name` of the module in `stmt`, which is bound as `boundAs`.
Value Globals::importedFrom(const ast::ImportFromStmt &stmt, std::string_view name, SourceRange range,
                            std::string_view boundAs) {
  if (!stmt.module.empty())
    if (std::optional<Value> given =
            evaluator.modules().givenValue(std::string(stmt.module) + "." + std::string(name)))
      return *given;
  std::optional<Value> module = evaluator.modules().importModule(unit, stmt.level, stmt.module, stmt.range);
  if (!module)
    return notFound(stmt, name, boundAs);
  if (module->isPoison())
    return *module;
  if (const ModuleRef *language = module->as<ModuleRef>()) {
    std::optional<Value> value = moduleAttribute(evaluator, *language, name);
    return value ? *value : evaluator.attribute(*language, name, range);
  }
  const FileModule &file = *module->as<FileModule>();
  if (std::optional<Value> value = evaluator.modules().fileAttribute(file, name, range))
    return *value;
  return evaluator.reportMissing(file, name, range);
}

Value Globals::boundByImport(const ast::Stmt &stmt, std::string_view name) {
  const auto *import = ast::as<ast::ImportStmt>(&stmt);
  return import ? imported(*import, name) : importedFrom(*ast::as<ast::ImportFromStmt>(&stmt), name);
}

std::optional<bool> Globals::importSucceeds(const ast::Stmt &stmt) {
  const auto *import = ast::as<ast::ImportStmt>(&stmt);
  const auto *from = ast::as<ast::ImportFromStmt>(&stmt);
  const Outcome outcome = import ? outcomeOf(*import) : from ? outcomeOf(*from) : Outcome::Succeeds;
  if (outcome != Outcome::Unknown)
    return outcome == Outcome::Succeeds;
  bool isThere = import ? llvm::all_of(import->names,
                                       [](const ast::ImportAlias &alias) { return isInstalled(alias.name); })
                        : !from->level && isInstalled(from->module);
  return isThere ? std::optional(true) : std::nullopt;
}

/// A name of a module that is not there: whether that matters shows when it is used.
Value Globals::notFound(const ast::ImportFromStmt &stmt, std::string_view name, std::string_view boundAs) {
  Value from = evaluator.memory.text(withDots(stmt), stmt.range);
  Value path = evaluator.memory.text(
      std::string(stmt.module) + (stmt.module.empty() ? "" : ".") + std::string(name), stmt.range);
  if (from.isPoison() || path.isPoison())
    return Poison();
  return evaluator.memory.unknown({.kind = UnknownOrigin::Kind::Import,
                                   .name = boundAs,
                                   .from = *from.as<std::string_view>(),
                                   .unit = &unit,
                                   .range = stmt.range,
                                   .path = *path.as<std::string_view>(),
                                   .isSearched = isSearched(stmt.level, stmt.module)});
}

/// Returns true if a module that is not found could exist: of a project, in a file.
bool Globals::isSearched(uint32_t level, std::string_view path) const {
  return unit.looksForFiles() && (level || (!isInstalled(path) && !isOfLanguage(path)));
}

bool Globals::isKnownMissing(uint32_t level, std::string_view path) {
  if (level)
    return unit.looksForFiles();
  const size_t dot = path.find('.');
  return dot != path.npos && evaluator.modules().importModule(unit, 0, path.substr(0, dot), {}).has_value();
}

/// The module of `stmt`, without a report where it cannot be read.
std::optional<Value> Globals::quietly(const ast::ImportFromStmt &stmt) {
  Reporter::Quiet quiet(evaluator.reporter);
  return evaluator.modules().importModule(unit, stmt.level, stmt.module, stmt.range);
}

bool Globals::exports(std::string_view name) {
  Reporter::Quiet quiet(evaluator.reporter);
  std::optional<Value> listed;
  if (name != "__all__" && binds("__all__"))
    listed = find("__all__", {});
  const Tuple *names = listed ? listed->as<Tuple>() : nullptr;
  if (!names)
    return !name.starts_with('_') && binds(name);
  return llvm::any_of(names->items, [&](const Value &item) {
    const auto *text = item.as<std::string_view>();
    return text && *text == name;
  });
}

/// Returns true if `from module import *` binds `name`, where the module is a file.
bool Globals::bindsByStar(const ast::ImportFromStmt &stmt, std::string_view name) {
  std::optional<Value> module = quietly(stmt);
  // One that cannot be read is an error, whatever it has.
  if (!module || module->isPoison())
    return module.has_value();
  const FileModule *file = module->as<FileModule>();
  return file && file->unit != &unit && evaluator.modules().globalsOf(*file->unit).exports(name);
}

const SourceRange *Globals::foreignStar() {
  for (const ast::Stmt *stmt : unit.module->body)
    if (const auto *from = ast::as<ast::ImportFromStmt>(stmt); from && from->star && !quietly(*from))
      return &from->range;
  return nullptr;
}

Globals::Outcome Globals::outcomeOf(const ast::ImportStmt &stmt) {
  Reporter::Quiet quiet(evaluator.reporter);
  for (const ast::ImportAlias &alias : stmt.names)
    if (!evaluator.modules().importModule(unit, 0, alias.name, alias.range))
      return isKnownMissing(0, alias.name) ? Outcome::Fails : Outcome::Unknown;
  return Outcome::Succeeds;
}

Globals::Outcome Globals::outcomeOf(const ast::ImportFromStmt &stmt) {
  std::optional<Value> module = quietly(stmt);
  Reporter::Quiet quiet(evaluator.reporter);
  if (!module)
    return isKnownMissing(stmt.level, stmt.module) ? Outcome::Fails : Outcome::Unknown;
  for (const ast::ImportAlias &alias : stmt.names) {
    const ModuleRef *language = module->as<ModuleRef>();
    if (language && !moduleAttribute(evaluator, *language, alias.name))
      return Outcome::Unknown;
    const FileModule *file = module->as<FileModule>();
    if (file && !hasName(*file, alias))
      return evaluator.modules().globalsOf(*file->unit).foreignStar() ? Outcome::Unknown : Outcome::Fails;
  }
  return Outcome::Succeeds;
}

bool Globals::hasName(const FileModule &module, const ast::ImportAlias &alias) {
  Globals &variables = evaluator.modules().globalsOf(*module.unit);
  return variables.isInTheMaking(alias.name) || variables.binds(alias.name) ||
         evaluator.modules().fileAttribute(module, alias.name, alias.range);
}
