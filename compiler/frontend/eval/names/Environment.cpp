#include "compiler/frontend/eval/names/Environment.h"

#include "compiler/frontend/eval/names/ModuleNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using namespace tegula::eval;

bool eval::leadsToEnvironment(std::string_view path) {
  constexpr std::string_view ways[] = {"os.environ", "os.environ.get", "os.getenv"};
  return llvm::is_contained(ways, path);
}

static bool isAt(const Value &object, std::string_view path) {
  const Unknown *unknown = object.as<Unknown>();
  return unknown && unknown->origin->path == path;
}

/// Returns None for a variable that is not set; nothing where that is unknown, or `name` is no text.
static std::optional<Value> variable(Evaluation &evaluator, const Value &name, SourceRange range) {
  const auto *text = name.as<std::string_view>();
  if (!text)
    return std::nullopt;
  if (std::optional<Value> given = evaluator.modules().givenValue("os.environ." + std::string(*text)))
    return given->isNone() ? *given : evaluator.memory.text(toText(*given, /*quoteStrings=*/false), range);
  ImportedModules *imports = evaluator.user.program ? evaluator.user.program->imports() : nullptr;
  const EnvironmentVariable held = imports ? imports->variable(std::string(*text)) : EnvironmentVariable();
  if (!held.isKnown) {
    if (evaluator.asked.empty())
      evaluator.asked = "os.environ." + std::string(*text);
    return std::nullopt;
  }
  return held.text ? evaluator.memory.text(*held.text, range) : Value(None());
}

std::optional<Value> eval::environmentValue(Evaluation &evaluator, const Value &callee,
                                            const Arguments &arguments, SourceRange range) {
  const Unknown *unknown = callee.as<Unknown>();
  if (!unknown || !leadsToEnvironment(unknown->origin->path) || arguments.positional.empty())
    return std::nullopt;
  std::optional<Value> held = variable(evaluator, arguments.positional.front().value, range);
  if (!held || !held->isNone())
    return held;
  for (const auto &[name, argument] : arguments.keywords)
    if (name == "default")
      return argument.value;
  return arguments.positional.size() > 1 ? arguments.positional[1].value : Value(None());
}

std::optional<Value> eval::environmentItem(Evaluation &evaluator, const Value &object, const Value &name,
                                           SourceRange range) {
  if (!isAt(object, "os.environ"))
    return std::nullopt;
  std::optional<Value> held = variable(evaluator, name, range);
  if (!held || !held->isNone())
    return held;
  return evaluator.reporter.refuse(range,
                                   "the environment has no variable " + toText(name, /*quoteStrings=*/true));
}

std::optional<bool> eval::environmentHas(Evaluation &evaluator, const Value &object, const Value &name) {
  std::optional<Value> held = isAt(object, "os.environ") ? variable(evaluator, name, {}) : std::nullopt;
  return held ? std::optional(!held->isNone()) : std::nullopt;
}
