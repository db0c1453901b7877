#include "tools/tegula/dap/LogMessage.h"

#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

namespace tegula::cli {

runtime::Result<LogMessage> LogMessage::parse(std::string_view text,
                                              const std::function<std::string(std::string_view)> &spell) {
  LogMessage made;
  made.pieces.emplace_back();
  while (!text.empty()) {
    const bool isDoubled = text.starts_with("{{") || text.starts_with("}}");
    if (isDoubled || text.front() != '{') {
      made.pieces.back().text += text.front();
      text.remove_prefix(isDoubled ? 2 : 1);
      continue;
    }
    const size_t end = text.find('}');
    if (end == text.npos)
      return usageError(fmt::format("expected `}}` behind `{}` in a log message", text));
    std::string wrong;
    made.pieces.back().expression = debug::Expression::parse(spell(text.substr(1, end - 1)), wrong);
    if (!made.pieces.back().expression)
      return usageError(fmt::format("cannot read `{}` in a log message: {}", text.substr(0, end + 1), wrong));
    made.pieces.emplace_back();
    text.remove_prefix(end + 1);
  }
  return made;
}

/// Returns the value of an expression in a line, or why it has none.
static std::string valueText(const debug::Expression &expression, const debug::Scope &scope) {
  const std::string name = expression.name();
  const debug::NamedValue *named = scope.find(name);
  if (named && !debug::arrayNamed(scope.arrays, name) && !debug::valueOf(*named))
    return debug::describe(*named);
  std::string error;
  const std::optional<debug::Value> value = expression.evaluate(scope, error);
  return value ? debug::summary(*value) : fmt::format("<{}>", error);
}

std::string LogMessage::text(const debug::Scope &scope) const {
  std::string made;
  for (const Piece &piece : pieces) {
    made += piece.text;
    if (piece.expression)
      made += valueText(*piece.expression, scope);
  }
  return made;
}

} // namespace tegula::cli
