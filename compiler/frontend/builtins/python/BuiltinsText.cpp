// Methods of strings, which what is computed at compile time puts together: messages, names, PTX.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/calls/Call.h"
#include "compiler/frontend/values/Formats.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

using Items = llvm::SmallVector<Value, 8>;

Value made(Call &call, const std::string &text) { return call.evaluator.memory.text(text, call.range); }

template <bool prefix> Value textEnd(Call &, llvm::StringRef self, llvm::StringRef part) {
  return prefix ? self.starts_with(part) : self.ends_with(part);
}

template <bool upper> Value textCase(Call &call, llvm::StringRef self) {
  return made(call, upper ? self.upper() : self.lower());
}

constexpr llvm::StringRef blanks = " \t\n\r\f\v";

enum Side : uint8_t { Left = 1, Right = 2 };

/// Without the characters of the argument, or without blanks, at its ends.
template <int sides> Value stripped(Call &call, llvm::StringRef text, llvm::StringRef given) {
  llvm::StringRef characters = call.given(1) ? given : blanks;
  if (sides & Left)
    text = text.ltrim(characters);
  if (sides & Right)
    text = text.rtrim(characters);
  return made(call, text.str());
}

template <bool prefix> Value withoutEnd(Call &call, llvm::StringRef text, llvm::StringRef part) {
  (void)(prefix ? text.consume_front(part) : text.consume_back(part));
  return made(call, text.str());
}

/// The place of a text that does not occur.
constexpr Int nowhere = -1;

/// In characters, as Python counts.
Value find(Call &call, llvm::StringRef self, llvm::StringRef part) {
  const size_t at = self.find(part);
  if (at == llvm::StringRef::npos)
    return nowhere;
  std::optional<llvm::ArrayRef<Value>> before =
      call.evaluator.iterate(Value(std::string_view(self.take_front(at))), call.range);
  return before ? Value(Int(before->size())) : Value(Poison());
}

Value count(Call &call, llvm::StringRef self, llvm::StringRef part) {
  return part.empty() ? call.errorAt(1, "expected a text that is not empty") : Value(Int(self.count(part)));
}

Value replace(Call &call, llvm::StringRef rest, llvm::StringRef before, llvm::StringRef after) {
  if (before.empty())
    return call.errorAt(1, "expected a text that is not empty");
  std::string out;
  for (size_t at = rest.find(before); at != llvm::StringRef::npos; at = rest.find(before)) {
    out += rest.take_front(at);
    out += after;
    rest = rest.drop_front(at + before.size());
    if (out.size() > maxText)
      return call.error("expected a string of at most " + std::to_string(maxText) + " bytes");
  }
  return made(call, out + rest.str());
}

/// At the argument, or at blanks, where those at the ends and several in a row make no empty parts.
Value split(Call &call, llvm::StringRef self, llvm::StringRef separator) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  if (!call.given(1)) {
    llvm::SplitString(self, parts, blanks);
  } else if (separator.empty()) {
    return call.errorAt(1, "expected a text that is not empty");
  } else {
    self.split(parts, separator);
  }
  Items items;
  for (llvm::StringRef part : parts)
    items.push_back(Value(std::string_view(part)));
  return call.evaluator.memory.tuple(items, true, call.range);
}

Value join(Call &call, llvm::StringRef self, llvm::ArrayRef<Value> items) {
  std::string out;
  for (const Value &item : items) {
    const auto *text = item.as<std::string_view>();
    if (!text)
      return call.errorAt(1, "expected strings to join, found " + describe(item));
    out += (&item == items.begin() ? "" : self.str()) + std::string(*text);
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
Value format(Call &call, llvm::StringRef rest) {
  std::string out;
  size_t next = 0;
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

template <int (*is)(int)> Value allAre(Call &, llvm::StringRef text) {
  return !text.empty() && llvm::all_of(text, [](char c) { return is(static_cast<unsigned char>(c)) != 0; });
}

constexpr auto startswith = textEnd<true>, endswith = textEnd<false>;
constexpr auto upper = textCase<true>, lower = textCase<false>;
constexpr auto strip = stripped<Left | Right>, lstrip = stripped<Left>, rstrip = stripped<Right>;
constexpr auto removeprefix = withoutEnd<true>, removesuffix = withoutEnd<false>;
constexpr auto isdigit = allAre<std::isdigit>, isalpha = allAre<std::isalpha>;

} // namespace

#include "compiler/frontend/builtins/python/BuiltinsText.inc"
