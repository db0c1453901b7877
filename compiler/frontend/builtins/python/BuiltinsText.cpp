// Methods of strings, which what is computed at compile time puts together: messages, names, PTX.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/calls/Call.h"
#include "compiler/frontend/values/Formats.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

using Items = llvm::SmallVector<Value, 8>;

llvm::StringRef self(Call &call) { return *call.value(0).as<std::string_view>(); }

Value made(Call &call, const std::string &text) { return call.evaluator.memory.text(text, call.range); }

template <bool prefix> Value textEnd(Call &call) {
  std::optional<std::string_view> part = call.text(1, "");
  return part ? Value(prefix ? self(call).starts_with(*part) : self(call).ends_with(*part)) : Value(Poison());
}

template <bool upper> Value textCase(Call &call) {
  return made(call, upper ? self(call).upper() : self(call).lower());
}

enum Side : uint8_t { Left = 1, Right = 2 };

/// Without the characters of the argument, or without blanks, at its ends.
template <int sides> Value stripped(Call &call) {
  std::optional<std::string_view> characters = call.text(1, " \t\n\r\f\v");
  if (!characters)
    return Poison();
  llvm::StringRef text = self(call);
  if (sides & Left)
    text = text.ltrim(*characters);
  if (sides & Right)
    text = text.rtrim(*characters);
  return made(call, text.str());
}

template <bool prefix> Value withoutEnd(Call &call) {
  std::optional<std::string_view> part = call.text(1, "");
  if (!part)
    return Poison();
  llvm::StringRef text = self(call);
  (void)(prefix ? text.consume_front(*part) : text.consume_back(*part));
  return made(call, text.str());
}

/// The place of a text that does not occur.
constexpr Int nowhere = -1;

/// In characters, as Python counts.
Value find(Call &call) {
  std::optional<std::string_view> part = call.text(1, "");
  if (!part)
    return Poison();
  const size_t at = self(call).find(*part);
  if (at == llvm::StringRef::npos)
    return nowhere;
  std::optional<llvm::ArrayRef<Value>> before =
      call.evaluator.iterate(Value(std::string_view(self(call).take_front(at))), call.range);
  return before ? Value(Int(before->size())) : Value(Poison());
}

Value count(Call &call) {
  std::optional<std::string_view> part = call.text(1, "");
  if (!part)
    return Poison();
  return part->empty() ? call.errorAt(1, "expected a text that is not empty")
                       : Value(Int(self(call).count(*part)));
}

Value replace(Call &call) {
  std::optional<std::string_view> before = call.text(1, ""), after = call.text(2, "");
  if (!before || !after)
    return Poison();
  if (before->empty())
    return call.errorAt(1, "expected a text that is not empty");
  std::string out;
  llvm::StringRef rest = self(call);
  for (size_t at = rest.find(*before); at != llvm::StringRef::npos; at = rest.find(*before)) {
    out += rest.take_front(at);
    out += *after;
    rest = rest.drop_front(at + before->size());
    if (out.size() > maxText)
      return call.error("expected a string of at most " + std::to_string(maxText) + " bytes");
  }
  return made(call, out + rest.str());
}

/// At the argument, or at blanks, where those at the ends and several in a row make no empty parts.
Value split(Call &call) {
  std::optional<std::string_view> separator = call.text(1, "");
  if (!separator)
    return Poison();
  llvm::SmallVector<llvm::StringRef, 8> parts;
  if (!call.given(1)) {
    llvm::SplitString(self(call), parts, " \t\n\r\f\v");
  } else if (separator->empty()) {
    return call.errorAt(1, "expected a text that is not empty");
  } else {
    self(call).split(parts, *separator);
  }
  Items items;
  for (llvm::StringRef part : parts)
    items.push_back(Value(std::string_view(part)));
  return call.evaluator.memory.tuple(items, true, call.range);
}

Value join(Call &call) {
  std::optional<llvm::ArrayRef<Value>> items = call.evaluator.iterate(call.value(1), call.rangeOf(1));
  if (!items)
    return Poison();
  std::string out;
  for (const Value &item : *items) {
    const auto *text = item.as<std::string_view>();
    if (!text)
      return call.errorAt(1, "expected strings to join, found " + describe(item));
    out += (&item == items->begin() ? "" : self(call).str()) + std::string(*text);
    if (out.size() > maxText)
      return call.error("expected a string of at most " + std::to_string(maxText) + " bytes");
  }
  return made(call, out);
}

/// Returns the value of `{field}` of `str.format`: a number, a name, or the next one; then attributes and
/// items of it.
std::optional<Value> fieldOf(Call &call, llvm::StringRef field, size_t &next) {
  llvm::StringRef path = field.take_until([](char c) { return c == '.' || c == '['; });
  llvm::StringRef rest = field.drop_front(path.size());
  size_t number = 0;
  std::optional<Value> value;
  if (path.empty() || !path.getAsInteger(10, number)) {
    number = path.empty() ? next++ : number;
    if (number < call.rest.size())
      value = call.rest[number].value;
  } else {
    for (const auto &[name, argument] : call.keywords)
      if (name == std::string_view(path))
        value = argument.value;
  }
  if (!value) {
    call.error("there is no argument for `{" + field.str() + "}`");
    return std::nullopt;
  }
  while (rest.consume_front(".") && !value->isPoison()) {
    llvm::StringRef name = rest.take_until([](char c) { return c == '.' || c == '['; });
    rest = rest.drop_front(name.size());
    value = call.evaluator.attribute(*value, std::string_view(name), call.range);
  }
  if (!rest.empty()) {
    call.error("expected a number or a name in `{" + field.str() + "}`");
    return std::nullopt;
  }
  return value->isPoison() ? std::nullopt : value;
}

/// `"{} {name:.2f}".format(...)`.
Value format(Call &call) {
  std::string out;
  size_t next = 0;
  llvm::StringRef rest = self(call);
  while (!rest.empty()) {
    if (rest.consume_front("{{")) {
      out += '{';
      continue;
    }
    if (rest.consume_front("}}")) {
      out += '}';
      continue;
    }
    if (!rest.consume_front("{")) {
      if (rest.starts_with("}"))
        return call.error("expected `}}` for a brace in a format");
      llvm::StringRef plain = rest.take_until([](char c) { return c == '{' || c == '}'; });
      out += plain;
      rest = rest.drop_front(plain.size());
      continue;
    }
    const size_t end = rest.find('}');
    if (end == llvm::StringRef::npos)
      return call.error("expected `}` at the end of a field of a format");
    auto [head, spec] = rest.take_front(end).split(':');
    rest = rest.drop_front(end + 1);
    auto [field, conversion] = head.split('!');
    std::optional<Value> value = fieldOf(call, field, next);
    if (!value || !call.evaluator.isKnownThroughout(*value, call.range))
      return Poison();
    if (isRuntime(*value))
      return call.error("expected values known at compile time, found " + describe(*value));
    if (!conversion.empty())
      value = call.evaluator.memory.text(toText(*value, conversion != "s"), call.range);
    std::optional<std::string> text = formatText(*value, spec);
    if (!text)
      return call.error("expected a format for " + describe(*value) + ", found " + asCode(spec));
    out += *text;
    if (out.size() > maxText)
      return call.error("expected a string of at most " + std::to_string(maxText) + " bytes");
  }
  return made(call, out);
}

template <int (*is)(int)> Value allAre(Call &call) {
  llvm::StringRef text = self(call);
  return !text.empty() && llvm::all_of(text, [](char c) { return is(static_cast<unsigned char>(c)) != 0; });
}

constexpr Handler startswith = textEnd<true>, endswith = textEnd<false>, upper = textCase<true>,
                  lower = textCase<false>, strip = stripped<Left | Right>, lstrip = stripped<Left>,
                  rstrip = stripped<Right>, removeprefix = withoutEnd<true>, removesuffix = withoutEnd<false>,
                  isdigit = allAre<std::isdigit>, isalpha = allAre<std::isalpha>;

#include "compiler/frontend/builtins/python/BuiltinsText.inc"

} // namespace

std::span<const Builtin> eval::textBuiltins() { return table; }
