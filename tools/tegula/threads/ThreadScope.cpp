#include "tools/tegula/threads/ThreadScope.h"

#include "compiler/debug/Expression.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/threads/Registers.h"

#include <fmt/format.h>

#include <cctype>
#include <cstring>
#include <numeric>

namespace tegula::cli {

using runtime::Result;

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

/// The scope of a warp, which may be null, with registers in the lanes of `shown` alone; `hasTiles` of the
/// program in focus.
static debug::Scope scopeOf(const ThreadSession &session, const runtime::ptx::Warp *warp, uint32_t shown,
                            bool hasTiles) {
  debug::Scope scope;
  scope.arrays = session.launch().arrays;
  scope.read = session.memory();
  if (warp)
    if (const std::optional<runtime::Grid> program = session.programOf(*warp))
      scope.program = interp::Grid{program->x, program->y, program->z};
  scope.others = [&session, warp, shown, hasTiles](llvm::StringRef name) -> std::optional<debug::Value> {
    if (session.context())
      if (std::optional<debug::Value> value = argumentNamed(*session.context(), name))
        return value;
    if (hasTiles)
      if (std::optional<debug::Value> value = session.heldValue(name.str()))
        return value;
    auto found = warp ? registerNamed(*warp, name.str(), session.registerTypes()) : std::nullopt;
    if (!found)
      return std::nullopt;
    found->defined &= shown;
    return lanesOf(*found);
  };
  return scope;
}

debug::Scope scopeOf(const ThreadSession &session) {
  return scopeOf(session, session.warp(), ~0u, /*hasTiles=*/true);
}

debug::Scope conditionScopeOf(const ThreadSession &session, const runtime::ptx::Warp &warp) {
  const uint32_t active = warp.upcoming().active;
  debug::Scope scope = scopeOf(session, &warp, active, /*hasTiles=*/false);
  scope.others = [number = warp.index, active, others = scope.others](llvm::StringRef name) {
    std::optional<debug::Value> value = others(name);
    if (!value && name == "warp")
      value = debug::Value::of(int64_t(number));
    if (!value && name == "lane") {
      RegisterValue lanes{.type = runtime::ptx::Type::U32, .defined = active};
      std::iota(lanes.bits.begin(), lanes.bits.end(), uint64_t(0));
      value = lanesOf(lanes);
    }
    return value;
  };
  return scope;
}

Result<ThreadCondition> conditionOf(const ThreadSession &session, const std::string &text) {
  std::string wrong;
  const std::optional<debug::Expression> parsed = debug::Expression::parse(withoutPercents(text), wrong);
  if (!parsed)
    return usageError(wrong);
  return ThreadCondition([&session, expression = *parsed](const runtime::ptx::Warp &warp) {
    ThreadTruth truth;
    const uint32_t active = warp.upcoming().active;
    const std::optional<debug::Value> value =
        expression.evaluate(conditionScopeOf(session, warp), truth.error);
    if (!value)
      return truth;
    const bool isOne = value->size() == 1;
    if (!isOne && value->size() != runtime::ptx::lanes) {
      truth.error = fmt::format("expected a truth, or one for each of {} lanes, found {} elements",
                                runtime::ptx::lanes, value->size());
      return truth;
    }
    bool isKnown = false;
    for (uint32_t lane = 0; lane < runtime::ptx::lanes; ++lane) {
      const size_t at = isOne ? 0 : lane;
      if (!(active >> lane & 1) || value->isUndefined(at))
        continue;
      isKnown = true;
      truth.lanes |= uint32_t(value->real(at) != 0) << lane;
    }
    if (!isKnown)
      truth.error = "it is undefined in all lanes";
    return truth;
  });
}

/// Returns true if `text` ends with a word behind which an operand stands: a `%` begins one then.
static bool endsWithOperator(std::string_view text) {
  while (text.ends_with(' '))
    text.remove_suffix(1);
  const size_t begin = text.find_last_of(" ()[],");
  const std::string_view word = begin == text.npos ? text : text.substr(begin + 1);
  return word == "and" || word == "or" || word == "not" || word == "if" || word == "else";
}

std::string withoutPercents(std::string_view text) {
  std::string made;
  char before = '(';
  for (size_t i = 0; i < text.size(); ++i) {
    const bool namesFollow = i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i + 1]));
    const bool isOperand = std::isalnum(static_cast<unsigned char>(before)) || before == ')' || before == ']';
    if (text[i] == '%' && namesFollow && (!isOperand || endsWithOperator(made)))
      continue;
    made += text[i];
    before = std::isspace(static_cast<unsigned char>(text[i])) ? before : text[i];
  }
  return made;
}

Result<debug::Value> valueOf(const ThreadSession &session, const std::string &text) {
  std::string wrong;
  const auto parsed = debug::Expression::parse(withoutPercents(text), wrong);
  if (!parsed)
    return usageError(fmt::format("cannot read `{}`: {}", text, wrong));
  if (std::optional<debug::Value> value = parsed->evaluate(scopeOf(session), wrong))
    return std::move(*value);
  if (wrong.starts_with("no name"))
    wrong += ": arrays, numbers of the launch and registers have names; those of tiles where registers "
             "hold them, and at the tile level";
  return usageError(wrong);
}

} // namespace tegula::cli
