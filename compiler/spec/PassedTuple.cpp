#include "compiler/spec/PassedTuple.h"
#include "compiler/spec/Descriptor.h"

#include <fmt/format.h>

namespace tegula {

static std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

static bool isName(std::string_view text) {
  auto isLetter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
  if (text.empty() || (!isLetter(text.front()) && text.front() != '_'))
    return false;
  for (char c : text)
    if (!isLetter(c) && c != '_' && !(c >= '0' && c <= '9'))
      return false;
  return true;
}

bool looksLikeTuple(std::string_view text) {
  const size_t open = text.find('(');
  return open != text.npos && (open == 0 || isName(text.substr(0, open)));
}

std::optional<TupleText> splitTuple(std::string_view text) {
  text = trim(text);
  if (!looksLikeTuple(text) || text.back() != ')')
    return std::nullopt;
  const size_t open = text.find('(');
  TupleText tuple{text.substr(0, open), {}};
  const std::string_view inner = text.substr(open + 1, text.size() - open - 2);
  std::string closing;
  size_t start = 0;
  for (size_t i = 0; i < inner.size(); ++i) {
    const char c = inner[i];
    if (c == '(' || c == '[' || c == '<')
      closing += c == '(' ? ')' : c == '[' ? ']' : '>';
    else if (c == ')' || c == ']' || c == '>') {
      if (closing.empty() || closing.back() != c)
        return std::nullopt;
      closing.pop_back();
    } else if (c == ',' && closing.empty()) {
      tuple.items.push_back(trim(inner.substr(start, i - start)));
      start = i + 1;
    }
  }
  if (!closing.empty())
    return std::nullopt;
  // As in Python, a comma at the end adds no item.
  if (const std::string_view last = trim(inner.substr(start)); !last.empty())
    tuple.items.push_back(last);
  return tuple;
}

std::optional<std::pair<std::string_view, std::string_view>> splitField(std::string_view item) {
  const size_t equals = item.find('=');
  if (equals == item.npos || !isName(item.substr(0, equals)) || parseScalarKind(item.substr(0, equals)))
    return std::nullopt;
  return std::pair(item.substr(0, equals), trim(item.substr(equals + 1)));
}

std::string itemName(std::string_view name, size_t index) { return fmt::format("{}[{}]", name, index); }

namespace {

/// Reads the type of a tuple. `problem` says what is wrong with the first that is none.
class TupleReader {
public:
  bool tuple(const std::string &name, std::string_view text, int depth, BoundValue &value);

  std::vector<std::pair<std::string, ArgSpec>> passed;
  std::string problem;

private:
  bool item(const std::string &name, std::string_view text, int depth, BoundValue &value);
  bool wrong(std::string text) {
    problem = std::move(text);
    return false;
  }
};

bool TupleReader::item(const std::string &name, std::string_view text, int depth, BoundValue &value) {
  if (looksLikeTuple(text))
    return tuple(name, text, depth + 1, value);
  if (looksLikeDescriptor(text)) {
    std::variant<DescriptorType, std::string> type = parseDescriptorType(text);
    if (const std::string *refused = std::get_if<std::string>(&type))
      return wrong(*refused);
    const auto &[element, known] = std::get<DescriptorType>(type);
    passed.push_back(descriptorParameters(name, known.block.size(), element).front());
    value.value = known;
    return true;
  }
  std::variant<ArgSpec, std::string> type = parseArgType(text);
  if (const std::string *refused = std::get_if<std::string>(&type))
    return wrong(*refused);
  ArgSpec &arg = std::get<ArgSpec>(type);
  if (auto *known = std::get_if<BoundValue>(&arg)) {
    value = std::move(*known);
    return true;
  }
  passed.emplace_back(name, std::move(arg));
  value.value = bound::Passed();
  return true;
}

bool TupleReader::tuple(const std::string &name, std::string_view text, int depth, BoundValue &value) {
  if (depth > maxPassedDepth)
    return wrong(fmt::format("tuples nest more than {} deep", maxPassedDepth));
  const std::optional<TupleText> parts = splitTuple(text);
  if (!parts)
    return wrong(fmt::format("expected a tuple such as `(*fp32:16, i32)`, found `{}`", text));
  std::vector<BoundValue> items;
  std::vector<std::string> fields;
  for (std::string_view written : parts->items) {
    const std::optional<std::pair<std::string_view, std::string_view>> field = splitField(written);
    if (parts->type.empty() ? field.has_value() : !field)
      return wrong(parts->type.empty()
                       ? fmt::format("expected a type without a name, found `{}`: a tuple with names has one "
                                     "of its own, `Point(x=i32)`",
                                     written)
                       : fmt::format("expected a name and a type such as `x=i32` in `{}`, found `{}`",
                                     parts->type, written));
    if (field)
      fields.emplace_back(field->first);
    if (!item(itemName(name, items.size()), field ? field->second : written, depth, items.emplace_back()))
      return false;
  }
  value.value = bound::Tuple{std::move(items), std::move(fields), std::string(parts->type)};
  return true;
}

void addPassed(std::string_view name, const BoundValue &value, std::vector<PassedParameter> &found) {
  if (std::holds_alternative<bound::Passed>(value.value))
    found.push_back({std::string(name), std::nullopt});
  else if (const auto *tuple = std::get_if<bound::Tuple>(&value.value))
    for (size_t i = 0; i < tuple->items.size(); ++i)
      addPassed(itemName(name, i), tuple->items[i], found);
  else if (const auto *descriptor = std::get_if<bound::Descriptor>(&value.value))
    for (auto &[part, type] : descriptorParameters(name, descriptor->block.size(), ScalarKind::Int8))
      // The argument says which type the base points to.
      found.push_back({std::move(part), type.pointerDepth ? std::nullopt : std::optional(type)});
}

} // namespace

std::variant<TupleType, std::string> parseTupleType(std::string_view name, std::string_view text) {
  TupleReader reader;
  TupleType type;
  if (!reader.tuple(std::string(name), text, 1, type.value))
    return reader.problem;
  type.passed = std::move(reader.passed);
  return type;
}

std::vector<PassedParameter> passedParameters(std::string_view name, const BoundValue &value) {
  std::vector<PassedParameter> found;
  addPassed(name, value, found);
  return found;
}

std::string_view parameterOf(std::string_view name) {
  const size_t end = name.find_first_of(".[");
  return end == name.npos ? std::string_view() : name.substr(0, end);
}

} // namespace tegula
