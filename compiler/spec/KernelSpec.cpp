#include "compiler/spec/KernelSpec.h"

#include <fmt/format.h>

#include <charconv>

namespace tegula {
namespace {

/// More levels of pointers than this are a slip.
constexpr size_t maxPointerDepth = 2;
/// A fact beyond this adds nothing: no access is wider, and it keeps `1 << 31` in range.
constexpr uint32_t maxDivisibility = 1u << 30;

/// Parses what follows `=`: a value that a parameter of this type takes.
std::variant<ArgSpec, std::string> parseEqual(const RuntimeArg &arg, std::string_view text) {
  if (arg.pointerDepth || isFloatKind(arg.scalar))
    return fmt::format("expected an integer type before `=`, found `{}`", formatArgType(arg));
  if (text != "1")
    return fmt::format("expected `1` after `=`, found `{}`", text);
  return ArgSpec(BoundValue{int64_t(1)});
}

/// Parses the text after `:`: a power of two.
std::variant<ArgSpec, std::string> parseDivisor(RuntimeArg arg, std::string_view text) {
  uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool valid = error == std::errc() && end == text.data() + text.size();
  if (!valid || value == 0 || (value & (value - 1)) || value > maxDivisibility)
    return fmt::format("expected a power of two up to {} after `:`, found `{}`", maxDivisibility, text);
  if (!arg.pointerDepth && (isFloatKind(arg.scalar) || arg.scalar == ScalarKind::Int1))
    return fmt::format("expected a pointer or an integer before `:{}`, found `{}`", value,
                       formatArgType(arg));
  arg.facts.divisibility = value;
  return ArgSpec(arg);
}

/// A type, a fact or none, and no `+`.
std::variant<ArgSpec, std::string> parseWithoutSign(std::string_view text) {
  std::string_view rest = text;
  size_t depth = std::min(rest.find_first_not_of('*'), rest.size());
  rest.remove_prefix(depth);
  size_t suffixAt = std::min(rest.find_first_of(":="), rest.size());
  std::string_view name = rest.substr(0, suffixAt);
  std::string_view suffix = rest.substr(suffixAt);
  if (name.empty())
    return fmt::format("expected a type such as `*fp32` or `i32`, found `{}`", text);
  std::optional<ScalarKind> scalar = parseScalarKind(name);
  if (!scalar)
    return fmt::format("unknown type `{}`: expected one of {}", name, knownScalarKinds());
  if (depth > maxPointerDepth)
    return fmt::format("expected at most {} `*` in a type, found {}", maxPointerDepth, depth);
  RuntimeArg arg{*scalar, uint8_t(depth), {}};
  if (suffix.empty())
    return ArgSpec(arg);
  std::string_view value = suffix.substr(1);
  return suffix[0] == ':' ? parseDivisor(arg, value) : parseEqual(arg, value);
}

} // namespace

bool isSignedInteger(const RuntimeArg &arg) {
  return arg.pointerDepth == 0 && arg.scalar >= ScalarKind::Int8 && arg.scalar <= ScalarKind::Int64;
}

std::variant<ArgSpec, std::string> parseArgType(std::string_view text) {
  if (text == "none")
    return ArgSpec(BoundValue{std::monostate()});
  if (!text.ends_with('+'))
    return parseWithoutSign(text);
  text.remove_suffix(1);
  std::variant<ArgSpec, std::string> parsed = parseWithoutSign(text);
  ArgSpec *spec = std::get_if<ArgSpec>(&parsed);
  if (!spec)
    return parsed;
  auto *arg = std::get_if<RuntimeArg>(spec);
  if (!arg || !isSignedInteger(*arg))
    return fmt::format("expected a signed integer before `+`, found `{}`", text);
  arg->facts.nonNegative = true;
  return parsed;
}

std::string formatArgType(const RuntimeArg &arg) {
  std::string text(arg.pointerDepth, '*');
  text += scalarKindName(arg.scalar);
  if (arg.facts.divisibility > 1)
    text += fmt::format(":{}", arg.facts.divisibility);
  if (arg.facts.nonNegative)
    text += '+';
  return text;
}

} // namespace tegula
