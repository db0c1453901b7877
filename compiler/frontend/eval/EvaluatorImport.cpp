// Modules: which file or part of the language an import means, and what names of it are worth.
#include "compiler/frontend/eval/Environment.h"
#include "compiler/frontend/eval/Globals.h"
#include "compiler/frontend/eval/HostFacts.h"
#include "compiler/frontend/eval/ModulePaths.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// Characters of a module that count as one step: reading and parsing them takes about as long.
constexpr uint64_t charactersPerStep = 64;

std::string joined(std::string_view module, std::string_view name) {
  return std::string(module) + "." + std::string(name);
}

} // namespace

std::optional<Value> Evaluator::importModule(const Unit &unit, uint32_t level, std::string_view path,
                                             SourceRange range) {
  if (!level && isOfLanguage(path)) {
    std::optional<ModuleRef> known = moduleByPath(path);
    return known ? std::optional<Value>(*known) : std::nullopt;
  }
  ImportedModules *imports = unit.program ? unit.program->imports() : nullptr;
  if (!imports)
    return std::nullopt;
  const ImportedModules::Found &found = imports->find({unit.source().path(), level, std::string(path)});
  if (found.kind == FoundModule::Absent)
    return std::nullopt;
  if (found.kind == FoundModule::Unreadable) {
    reporter.errorOnce(&found, range, found.problem);
    return Value(Poison());
  }
  const ImportedModule &module = *found.module;
  if (const Unit *known = unit.program->unitOf(module))
    return Value(FileModule{known, module.name()});
  if (!memory.charge(range, module.file()->text().size() / charactersPerStep))
    return Value(Poison());
  if (!module.errors().empty()) {
    reporter.relay(&module, module.errors());
    return Value(Poison());
  }
  return Value(FileModule{&unit.program->add(module), module.name()});
}

/// "a.py -> b.py -> a.py": the files between `unit` and what is evaluated now, which imports from it.
std::string Evaluator::circleTo(const Unit &unit) const {
  std::string circle = unit.source().path();
  const Unit *last = &unit;
  for (const Frame *at = frame; at; at = at->parent) {
    if (at->unit == last)
      continue;
    circle = at->unit->source().path() + " -> " + circle;
    last = at->unit;
    if (last == &unit)
      return circle;
  }
  return unit.source().path() + " -> " + circle;
}

std::optional<Value> Evaluator::fileAttribute(const FileModule &module, std::string_view name,
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
  reporter.error(range, "`" + std::string(name) + "` has no value yet: it is imported in a circle, " +
                            circleTo(*module.unit));
  return Value(Poison());
}

/// The same as code at work reads it, which may be a kernel.
std::optional<Value> Evaluator::readableAttribute(const FileModule &module, std::string_view name,
                                                  SourceRange range) {
  std::optional<Value> value = fileAttribute(module, name, range);
  if (!value || mayRead(*value))
    return value;
  std::string quoted = "`" + std::string(name) + "`";
  Diagnostic &diagnostic = reporter.error(range, "the variable " + quoted + " of " + describe(module) +
                                                     " is not a constant that a kernel may read");
  reporter.addNote(diagnostic, *module.unit, globalsOf(*module.unit).definition(name),
                   quoted + " is assigned here");
  diagnostic.help = "write `" + std::string(name) +
                    " = tl.constexpr(...)` there, or pass it as a "
                    "`tl.constexpr` parameter";
  return Value(Poison());
}

std::optional<Value> Evaluator::givenValue(std::string_view path) {
  const ImportedModules *imports = user.program ? user.program->imports() : nullptr;
  const BoundValue *given = imports ? imports->given(std::string(path)) : nullptr;
  if (!given) {
    std::optional<Value> fact = hostFact(*this, path);
    if (fact)
      fact->wrapped = true;
    return fact;
  }
  // "triton.language.extra.libdevice" is the module, and with ".tanh" the function: what a project picks for
  // each vendor as it runs.
  const auto *text = std::get_if<std::string>(&given->value);
  if (text && text->starts_with("triton.") &&
      (moduleByPath(*text) || moduleByPath(std::string_view(*text).substr(0, text->rfind('.')))))
    return known(BoundValue{bound::Language{*text}}, path, {});
  // A text stays where it lies, by which `asVersions` knows PyTorch's version.
  Value value = text ? Value(std::string_view(*text)) : known(*given, path, {});
  value.wrapped = true;
  return value;
}

EnvironmentVariable Evaluator::environmentVariable(const std::string &name) const {
  ImportedModules *imports = user.program ? user.program->imports() : nullptr;
  return imports ? imports->variable(name) : EnvironmentVariable();
}

/// Returns the attribute `name` of an object without a value, where it or a part of it was given one.
std::optional<Value> Evaluator::givenAttribute(const UnknownOrigin &origin, std::string_view name,
                                               SourceRange range) {
  if (origin.path.empty())
    return std::nullopt;
  std::string path = joined(origin.path, name);
  if (std::optional<Value> given = givenValue(path))
    return given;
  const ImportedModules *imports = user.program ? user.program->imports() : nullptr;
  bool isGiven = imports && (imports->isGivenWithin(path) || imports->given(path + "()"));
  if (!isGiven && !hasHostFacts(path) && !leadsToEnvironment(path))
    return std::nullopt;
  Value kept = memory.text(path, range);
  const auto *text = kept.as<std::string_view>();
  if (!text)
    return kept;
  UnknownOrigin part = origin;
  part.kind = UnknownOrigin::Kind::Module;
  part.name = part.path = *text;
  return memory.unknown(part);
}

/// Returns the result that was given for `callee` of another file, whatever its arguments.
std::optional<Value> Evaluator::givenResult(const Value &callee) {
  if (const Unknown *unknown = callee.as<Unknown>(); unknown && !unknown->origin->path.empty())
    return givenValue(std::string(unknown->origin->path) + "()");
  const Function *function = callee.as<Function>();
  if (function && function->unit->imported)
    return givenValue(joined(function->unit->imported->name(), function->definition->name) + "()");
  return std::nullopt;
}
