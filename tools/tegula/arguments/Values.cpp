#include "tools/tegula/arguments/Values.h"

#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Suggest.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

namespace tegula::cli {

using runtime::Result;

std::string_view trim(std::string_view text) { return llvm::StringRef(text).trim(" \t\n"); }

std::optional<std::string> takeBehind(std::string &words, std::string_view word) {
  const size_t at = (" " + words + " ").find(fmt::format(" {} ", word));
  if (at == std::string::npos)
    return std::nullopt;
  std::string behind(trim(std::string_view(words).substr(std::min(at + word.size(), words.size()))));
  words = std::string(trim(std::string_view(words).substr(0, at)));
  return behind;
}

Result<std::pair<std::string, std::string>> splitAssignment(std::string_view text, const char *option) {
  const size_t equals = text.find('=');
  const std::string name(trim(text.substr(0, equals)));
  if (equals == std::string_view::npos || name.empty())
    return usageError(fmt::format("expected NAME=VALUE after `{}`, found `{}`", option, text));
  return std::pair(name, std::string(trim(text.substr(equals + 1))));
}

bool isOfModule(std::string_view name) { return name.find('.') != name.npos; }

/// The integer that `text` is, if it is one.
static std::optional<HostValue> parseInteger(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+'))
    text.remove_prefix(1);
  std::string digits;
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] != '_' || i == 0 || i + 1 == text.size()) // 1_000, but not _1 or 1_
      digits += text[i];
  unsigned base = 10;
  const std::string prefix = llvm::StringRef(digits).take_front(2).lower();
  if (prefix == "0x" || prefix == "0b" || prefix == "0o") {
    base = prefix == "0x" ? 16 : prefix == "0b" ? 2 : 8;
    digits.erase(0, 2);
  }
  uint64_t magnitude = 0;
  if (llvm::StringRef(digits).getAsInteger(base, magnitude))
    return std::nullopt;
  if (!negative)
    return HostValue::unsignedInteger(magnitude);
  if (magnitude > uint64_t(1) << 63)
    return std::nullopt;
  return HostValue::integer(int64_t(0 - magnitude));
}

/// Returns true if `text` has the form of an integer, in range or not.
static bool looksLikeInteger(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+'))
    text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789_") == std::string_view::npos && text[0] != '_';
}

Result<HostValue> parseNumber(std::string_view text) {
  if (std::optional<HostValue> integer = parseInteger(text))
    return *integer;
  if (looksLikeInteger(text))
    return usageError(fmt::format("the integer {} does not fit 64 bits", text));
  const std::string copy(text);
  char *end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  // strtod skips blanks and reads hexadecimal floats; neither belongs here.
  const bool plain = !copy.empty() && copy.find_first_of(" \t\nxXpP(") == std::string::npos;
  if (!plain || end != copy.c_str() + copy.size())
    return usageError(fmt::format("expected a number, found `{}`", text));
  return HostValue::floating(value);
}

static std::optional<HostValue> parseWord(std::string_view text) {
  const std::string word = llvm::StringRef(text).lower();
  if (word == "none")
    return HostValue::none();
  if (word == "true" || word == "false")
    return HostValue::boolean(word == "true");
  return std::nullopt;
}

/// Gives `value` the type `kind`, where it fits.
static Result<HostValue> withType(HostValue value, ScalarKind kind, std::string_view text) {
  if (value.kind == HostValue::None)
    return usageError(fmt::format("`none` has no type, found `{}`", text));
  const bool wantsFloat = isFloatKind(kind);
  if (!wantsFloat && (value.kind == HostValue::Float || !integerFits(value, kind)))
    return usageError(
        fmt::format("{} does not fit {}", text.substr(0, text.rfind(':')), scalarKindName(kind)));
  if (wantsFloat && value.kind != HostValue::Float)
    value = HostValue::floating(value.asDouble());
  value.type = kind;
  return value;
}

runtime::Error unknownType(std::string_view text) {
  std::vector<std::string> names;
  for (uint8_t kind = 0; kind <= uint8_t(ScalarKind::Float8E5B16); ++kind)
    names.emplace_back(scalarKindName(ScalarKind(kind)));
  return usageError(fmt::format("unknown type `{}`: expected one of {}{}", text, knownScalarKinds(),
                                didYouMean(text, names)));
}

Result<HostValue> parseScalar(std::string_view text) {
  const size_t colon = text.rfind(':');
  const std::string_view valueText = trim(text.substr(0, colon));
  std::optional<HostValue> value = parseWord(valueText);
  if (!value) {
    value = TRY(parseNumber(valueText));
  }
  if (colon == std::string_view::npos)
    return *value;
  const std::string_view typeText = trim(text.substr(colon + 1));
  const std::optional<ScalarKind> kind = parseScalarKind(typeText);
  if (!kind)
    return unknownType(typeText);
  return withType(*value, *kind, text);
}

/// "fp32" as well as Python's "tl.float32".
static std::optional<ScalarKind> parseTypeName(std::string_view text) {
  for (std::string_view prefix : {"tl.", "triton.language."})
    if (text.starts_with(prefix))
      text.remove_prefix(prefix.size());
  return parseScalarKind(text);
}

/// The elements of "(a, b, (c, d))" at its top level.
static std::vector<std::string_view> splitTuple(std::string_view inner) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < inner.size(); ++i) {
    depth += inner[i] == '(' ? 1 : inner[i] == ')' ? -1 : 0;
    if (inner[i] == ',' && depth == 0) {
      parts.push_back(inner.substr(start, i - start));
      start = i + 1;
    }
  }
  // As in Python, a comma at the end adds no element.
  if (!trim(inner.substr(start)).empty())
    parts.push_back(inner.substr(start));
  return parts;
}

/// Tuples deeper than this are no compile-time value of any kernel.
static constexpr int maxTupleDepth = 16;

static Result<BoundValue> parseConstexprAt(std::string_view text, int depth) {
  text = trim(text);
  if (text.empty())
    return usageError("expected a value after `=`");
  if (text.front() == '(' && text.back() == ')') {
    if (depth == maxTupleDepth)
      return usageError(fmt::format("tuples nest more than {} deep", maxTupleDepth));
    bound::Tuple tuple;
    for (std::string_view part : splitTuple(text.substr(1, text.size() - 2))) {
      BoundValue element = TRY(parseConstexprAt(part, depth + 1));
      tuple.items.push_back(std::move(element));
    }
    return BoundValue{std::move(tuple)};
  }
  if (text.front() == '@') {
    const std::string_view name = text.substr(1);
    if (name.empty() || name.find_first_of("@()[]{}'\", ") != name.npos)
      return usageError(fmt::format("expected the name of a function after `@`, found `{}`", name));
    return BoundValue{bound::Function{.name = std::string(name)}};
  }
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    return BoundValue{std::string(text.substr(1, text.size() - 2))};
  if (std::optional<HostValue> word = parseWord(text))
    return *compileTimeValue(*word);
  if (std::optional<ScalarKind> kind = parseTypeName(text))
    return BoundValue{bound::Dtype{*kind}};
  Result<HostValue> number = parseNumber(text);
  if (!number) {
    if (text.front() == '(' || text.front() == '[' || text.front() == '{')
      return usageError(fmt::format("expected a tuple such as (1, 2), found `{}`", text));
    // A number with a slip in it is no word.
    const bool isDigit = text.front() >= '0' && text.front() <= '9';
    if (isDigit || looksLikeInteger(text) || text.find_first_of("()[]{}'\"") != std::string_view::npos)
      return number.error();
    return BoundValue{std::string(text)};
  }
  return *compileTimeValue(*number);
}

Result<BoundValue> parseConstexpr(std::string_view text) { return parseConstexprAt(text, 0); }

Result<uint32_t> parseCount(std::string_view text, std::string_view what) {
  text = trim(text);
  uint32_t value = 0;
  if (llvm::StringRef(text).getAsInteger(10, value))
    return usageError(fmt::format("expected a whole number for {}, found `{}`", what, text));
  return value;
}

Result<uint64_t> parseSeed(std::string_view text) {
  Result<HostValue> seed = parseNumber(text);
  if (!seed || !seed->isInteger() || text.starts_with('-'))
    return usageError(fmt::format("expected a whole number from 0 for --seed, found `{}`", text));
  return seed->bits;
}

} // namespace tegula::cli
