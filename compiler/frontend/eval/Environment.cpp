#include "compiler/frontend/eval/Environment.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using namespace tegula::eval;

bool eval::leadsToEnvironment(std::string_view path) {
  constexpr std::string_view ways[] = {"os.environ", "os.environ.get", "os.getenv"};
  return llvm::is_contained(ways, path);
}

std::optional<Value> eval::environmentValue(Evaluator &evaluator, const Value &callee,
                                            const Arguments &arguments, SourceRange range) {
  const Unknown *unknown = callee.as<Unknown>();
  if (!unknown || !leadsToEnvironment(unknown->origin->path) || arguments.positional.empty())
    return std::nullopt;
  const auto *name = arguments.positional.front().value.as<std::string_view>();
  std::optional<Value> given = name ? evaluator.givenValue("os.environ." + std::string(*name)) : std::nullopt;
  if (!given)
    return std::nullopt;
  if (!given->isNone())
    return evaluator.memory.text(toText(*given, /*quoteStrings=*/false), range);
  return arguments.positional.size() > 1 ? arguments.positional[1].value : Value(None());
}
