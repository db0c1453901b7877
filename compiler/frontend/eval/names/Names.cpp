// Finds the file or part of the language that an import means, and the values of names in it.
#include "compiler/frontend/eval/names/Names.h"

#include "compiler/frontend/eval/Advice.h"
#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/names/Environment.h"
#include "compiler/frontend/eval/names/Globals.h"
#include "compiler/frontend/eval/names/HostFacts.h"
#include "compiler/frontend/eval/names/LanguageModules.h"
#include "compiler/frontend/eval/text/Bindings.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// Characters of a module that count as one step: reading and parsing them takes about as long.
constexpr uint64_t charactersPerStep = 64;

std::string joined(std::string_view module, std::string_view name) {
  return std::string(module) + "." + std::string(name);
}

ImportedModules *importsOf(const Unit &unit) { return unit.program ? unit.program->imports() : nullptr; }

/// Returns a number that identifies a module; 0 for anything else.
uintptr_t identityOf(const Value &object) {
  if (const ModuleRef *module = object.as<ModuleRef>())
    return uintptr_t(module->id) + 1; // below any address
  const FileModule *file = object.as<FileModule>();
  return file ? reinterpret_cast<uintptr_t>(file->unit) : 0;
}

} // namespace

Names::Names(Evaluation &evaluator) : bound(evaluator), evaluator(evaluator) {}

Names::~Names() = default;

std::optional<Value> Names::importModule(const Unit &unit, uint32_t level, std::string_view path,
                                         SourceRange range) {
  if (!level && isOfLanguage(path)) {
    std::optional<ModuleRef> known = moduleByPath(path);
    return known ? std::optional<Value>(*known) : std::nullopt;
  }
  ImportedModules *imports = importsOf(unit);
  if (!imports)
    return std::nullopt;
  const ImportedModules::Found &found = imports->find({unit.source().path(), level, std::string(path)});
  if (found.kind == FoundModule::Absent)
    return std::nullopt;
  if (found.kind == FoundModule::Unreadable) {
    evaluator.reporter.errorOnce(&found, range, found.problem);
    return Value(Poison());
  }
  const ImportedModule &module = *found.module;
  if (const Unit *known = unit.program->unitOf(module))
    return Value(FileModule{known, module.name()});
  if (!evaluator.memory.charge(range, module.file()->text().size() / charactersPerStep))
    return Value(Poison());
  if (!module.errors().empty()) {
    evaluator.reporter.relay(&module, module.errors());
    return Value(Poison());
  }
  return Value(FileModule{&unit.program->add(module), module.name()});
}

/// "a.py -> b.py -> a.py": the files between `unit` and what is evaluated now, which imports from it.
std::string Names::circleTo(const Unit &unit) const {
  std::string circle = unit.source().path();
  const Unit *last = &unit;
  for (const Frame *at = evaluator.frame; at; at = at->parent) {
    if (at->unit == last)
      continue;
    circle = at->unit->source().path() + " -> " + circle;
    last = at->unit;
    if (last == &unit)
      return circle;
  }
  return unit.source().path() + " -> " + circle;
}

std::optional<Value> Names::fileAttribute(const FileModule &module, std::string_view name,
                                          SourceRange range) {
  if (std::optional<Value> given = givenValue(joined(module.name, name)))
    return given;
  Globals &variables = globalsOf(*module.unit);
  // Python imports `from . import part` as a module where the package has no `part` yet.
  bool isUnfinished = variables.isInTheMaking(name);
  if (!isUnfinished)
    if (std::optional<Value> value = variables.attribute(name, range))
      return value;
  const ImportedModule *file = module.unit->imported;
  if (file && file->isPackage())
    if (std::optional<Value> part = importModule(*module.unit, 1, name, range))
      return part;
  if (!isUnfinished)
    return std::nullopt;
  return evaluator.reporter.refuse(range, asCode(name) + " has no value yet: it is imported in a circle, " +
                                              circleTo(*module.unit));
}

/// The same as code at work reads it, which may be a kernel.
std::optional<Value> Names::readableAttribute(const FileModule &module, std::string_view name,
                                              SourceRange range) {
  std::optional<Value> value = fileAttribute(module, name, range);
  if (!value || evaluator.mayRead(*value))
    return value;
  std::string quoted = asCode(name);
  Diagnostic &diagnostic =
      evaluator.reporter.error(range, "the variable " + quoted + " of " + describe(module) +
                                          " is not a constant that a kernel may read");
  evaluator.reporter.addNote(diagnostic, *module.unit, globalsOf(*module.unit).definition(name),
                             quoted + " is assigned here");
  diagnostic.help = "write `" + std::string(name) +
                    " = tl.constexpr(...)` there, or pass it as a "
                    "`tl.constexpr` parameter";
  return Value(Poison());
}

bool Names::setAttribute(const Value &object, std::string_view name, const Value &value) {
  const uintptr_t identity = identityOf(object);
  if (identity)
    added.insert_or_assign({identity, std::string(name)}, value);
  return identity != 0;
}

std::optional<Value> Names::attribute(const Value &object, std::string_view name, SourceRange range) {
  if (const uintptr_t identity = added.empty() ? 0 : identityOf(object))
    if (auto found = added.find({identity, std::string(name)}); found != added.end())
      return found->second;
  if (const ModuleRef *module = object.as<ModuleRef>())
    return moduleAttribute(evaluator, *module, name);
  if (const FileModule *module = object.as<FileModule>())
    return readableAttribute(*module, name, range);
  return object.is<HostObject>() ? bound.attribute(object, name, range) : std::nullopt;
}

std::optional<Value> Names::givenValue(std::string_view path) {
  const ImportedModules *imports = importsOf(evaluator.user);
  const BoundValue *given = imports ? imports->given(std::string(path)) : nullptr;
  if (!given) {
    std::optional<Value> fact = hostFact(evaluator, path);
    if (fact)
      fact->wrapped = true;
    return fact;
  }
  // "triton.language.extra.libdevice" is the module, and with ".tanh" the function: what a project picks for
  // each vendor as it runs.
  const auto *text = std::get_if<std::string>(&given->value);
  if (text && text->starts_with("triton.") &&
      (moduleByPath(*text) || moduleByPath(std::string_view(*text).substr(0, text->rfind('.')))))
    return bound.given(BoundValue{bound::Language{*text}}, path, {});
  // A text stays where it lies, by which `asVersions` knows PyTorch's version.
  Value value = text ? Value(std::string_view(*text)) : bound.given(*given, path, {});
  value.wrapped = true;
  return value;
}

std::optional<Value> Names::givenAttribute(const UnknownOrigin &origin, std::string_view name,
                                           SourceRange range) {
  if (origin.path.empty())
    return std::nullopt;
  std::string path = joined(origin.path, name);
  if (std::optional<Value> given = givenValue(path))
    return given;
  const ImportedModules *imports = importsOf(evaluator.user);
  bool isGiven = imports && (imports->isGivenWithin(path) || imports->given(path + "()"));
  if (!isGiven && !hasHostFacts(path) && !leadsToEnvironment(path))
    return std::nullopt;
  return evaluator.memory.unknownPart(origin, path, range);
}

std::optional<Value> Names::givenResult(const Value &callee) {
  if (const Unknown *unknown = callee.as<Unknown>(); unknown && !unknown->origin->path.empty())
    return givenValue(std::string(unknown->origin->path) + "()");
  const Function *function = callee.as<Function>();
  if (function && function->unit->imported)
    return givenValue(joined(function->unit->imported->name(), function->definition->name) + "()");
  return std::nullopt;
}

std::optional<Value> Names::find(const Unit &unit, std::string_view name, SourceRange range) {
  return unit.names ? bound.find(unit, name, range) : globalsOf(unit).find(name, range);
}

std::optional<Value> Names::findAround(const Unit *&holder, std::string_view name, SourceRange range) {
  std::optional<Value> value = find(*holder, name, range);
  if (holder->names)
    return value;
  // A kernel in a function sees what that function binds, then what its parameters are, then the file.
  for (; !value && holder->outer; value = globalsOf(*holder).find(name, range)) {
    for (const ast::Parameter &parameter : holder->function->parameters)
      if (parameter.name == name)
        return evaluator.memory.unknown(
            {UnknownOrigin::Kind::Parameter, name, holder->function->name, holder, parameter.nameRange});
    holder = holder->outer;
  }
  return value;
}

Value Names::read(const Unit &unit, std::string_view name, SourceRange range) {
  const Unit *holder = &unit;
  const std::optional<Value> value = findAround(holder, name, range);
  if (!value) {
    if (const Builtin *builtin = evaluator.functions.builtin(name, InPython))
      return BuiltinRef{builtin};
    return undefinedName(name, range);
  }
  if (unit.isLibrary || evaluator.mayRead(*value))
    return *value;
  std::string quoted = asCode(name);
  Diagnostic &diagnostic = evaluator.reporter.error(
      range, "Cannot access global variable " + quoted + ": it is not a constant that a kernel may read");
  if (!unit.names)
    evaluator.reporter.addNote(diagnostic, unit, globalsOf(*holder).definition(name),
                               quoted + " is assigned here");
  diagnostic.help =
      "write `" + std::string(name) + " = tl.constexpr(...)`, or pass it as a `tl.constexpr` parameter";
  diagnostic.basis = Basis::Text;
  const SourceRange definition = unit.names ? SourceRange() : globalsOf(*holder).definition(name);
  for (const ast::Stmt *stmt : holder->body())
    if (const auto *assign = ast::as<ast::AssignStmt>(stmt); assign && stmt->range == definition)
      evaluator.reporter.addFix(diagnostic, "write `" + std::string(name) + " = tl.constexpr(...)`",
                                putAround(assign->value->range, "tl.constexpr(", ")"));
  return Poison();
}

Value Names::undefinedName(std::string_view name, SourceRange range) {
  const SourceRange later = globalsOf(*evaluator.frame->unit).laterDefinition(name);
  const void *cause = &*undefined.emplace(evaluator.frame->function, name).first;
  Diagnostic &diagnostic =
      evaluator.reporter.errorOnce(cause, range, "name " + asCode(name) + " is not defined");
  diagnostic.basis = Basis::Name;
  // A name that a branch binds which was not taken is a matter of values.
  if (const ast::FunctionStmt *function = evaluator.frame->function; function && binds(function->body, name))
    diagnostic.basis = Basis::Values;
  if (later.end != 0) {
    evaluator.reporter.addNote(diagnostic, *evaluator.frame->unit, later,
                               asCode(name) + " is bound here, later");
    return Poison();
  }
  NearestName nearest(name);
  for (const Scope *scope = evaluator.frame->scope; scope; scope = scope->outer)
    for (const auto &entry : scope->bindings)
      nearest.offer({entry.first.data(), entry.first.size()});
  auto offer = [&](std::string_view candidate) { nearest.offer(candidate); };
  if (const NameTable *names = evaluator.frame->unit->names)
    for (const auto &entry : *names)
      offer(entry.first);
  for (const Unit *unit = evaluator.frame->unit; unit; unit = unit->outer)
    forEachBoundName(unit->body(), offer);
  evaluator.functions.forEachBuiltin(InPython, offer);
  const std::string ours = "tl." + std::string(name);
  if (std::string_view import = importOf(name); !import.empty()) {
    diagnostic.help = "write " + asCode(import) + " at the top of the file";
    addImportFix(evaluator.reporter, diagnostic, import);
    return Poison();
  }
  if (dtypeByAttribute(name) || evaluator.functions.builtin(name, InLanguage) ||
      evaluator.functions.library(name, ModuleId::Language)) {
    diagnostic.help = "did you mean " + asCode(ours) + "?";
    addSpellingFix(evaluator.reporter, diagnostic, range, name, {asCode(ours), ours});
    return Poison();
  }
  nearest.suggest(diagnostic, evaluator.reporter, range);
  if (const SourceRange *star = globalsOf(*evaluator.frame->unit).foreignStar())
    evaluator.reporter.addNote(diagnostic, *evaluator.frame->unit, *star,
                               evaluator.frame->unit->looksForFiles()
                                   ? "what this imports is not known: the module is not found"
                                   : "what this imports is not known: only one file is compiled");
  return Poison();
}

Globals &Names::globalsOf(const Unit &unit) {
  for (auto &[known, held] : globals)
    if (known == &unit)
      return *held;
  return *globals.emplace_back(&unit, std::make_unique<Globals>(evaluator, unit)).second;
}
