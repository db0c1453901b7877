#include "tools/tegula/threads/ThreadScope.h"

#include "compiler/debug/Expression.h"
#include "tools/tegula/threads/Registers.h"

#include <fmt/format.h>

#include <cctype>
#include <cstring>

namespace tegula::cli {

/// The number that the launch was given for a parameter; nothing for arrays and unknown names.
static std::optional<debug::Value> argumentNamed(const runtime::ptx::LaunchContext &launch,
                                                 llvm::StringRef name) {
  for (const KernelParam &param : launch.parameters) {
    const std::optional<ScalarKind> type = parseScalarKind(param.type);
    if (param.name != name || !type || param.size > sizeof(uint64_t) ||
        param.offset + param.size > launch.params.size())
      continue;
    uint64_t bits = 0;
    std::memcpy(&bits, launch.params.data() + param.offset, param.size);
    const debug::Number number = debug::numberOf(*type, bits);
    return number.isFloat ? debug::Value::of(number.real) : debug::Value::of(number.whole);
  }
  return std::nullopt;
}

debug::Scope scopeOf(const ThreadSession &session) {
  debug::Scope scope;
  scope.arrays = session.launch().arrays;
  scope.read = session.memory();
  if (const runtime::ptx::Warp *warp = session.warp())
    if (const std::optional<runtime::Grid> program = session.programOf(warp->index))
      scope.program = interp::Grid{program->x, program->y, program->z};
  scope.others = [&session](llvm::StringRef name) -> std::optional<debug::Value> {
    if (session.context())
      if (std::optional<debug::Value> value = argumentNamed(*session.context(), name))
        return value;
    const runtime::ptx::Warp *warp = session.warp();
    const auto found = warp ? registerNamed(*warp, name.str(), session.registerTypes()) : std::nullopt;
    return found ? std::optional(lanesOf(*found)) : std::nullopt;
  };
  return scope;
}

std::string withoutPercents(std::string_view text) {
  std::string made;
  char before = '(';
  for (size_t i = 0; i < text.size(); ++i) {
    const bool namesFollow = i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i + 1]));
    const bool isOperand = std::isalnum(static_cast<unsigned char>(before)) || before == ')' || before == ']';
    if (text[i] == '%' && namesFollow && !isOperand)
      continue;
    made += text[i];
    before = std::isspace(static_cast<unsigned char>(text[i])) ? before : text[i];
  }
  return made;
}

std::optional<debug::Value> valueOf(const ThreadSession &session, const std::string &text,
                                    std::string &error) {
  const auto parsed = debug::Expression::parse(withoutPercents(text), error);
  if (!parsed) {
    error = fmt::format("cannot read `{}`: {}", text, error);
    return std::nullopt;
  }
  std::optional<debug::Value> value = parsed->evaluate(scopeOf(session), error);
  if (!value && error.starts_with("no name"))
    error += ": arrays, numbers of the launch and registers have names; those of tiles are known at the tile "
             "level";
  return value;
}

} // namespace tegula::cli
