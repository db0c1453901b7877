#include "compiler/spec/BoundValue.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tegula {

bool bound::Tuple::operator==(const Tuple &) const = default;
bool bound::List::operator==(const List &) const = default;
bool bound::Dict::operator==(const Dict &) const = default;
bool bound::Namespace::operator==(const Namespace &) const = default;

namespace {

/// Deeper than any value that can be used.
constexpr unsigned maxDepth = 64;

/// Every form starts with a letter of its own and says how long it is, so no two values look alike.
struct Writer {
  std::string text;
  unsigned depth = 0;

  void value(const BoundValue &bound) {
    if (bound.isConstexpr)
      text += '!';
    if (++depth <= maxDepth)
      std::visit(*this, bound.value);
    --depth;
  }
  void string(std::string_view held) { text += fmt::format("{}:{}", held.size(), held); }
  void all(char letter, const std::vector<BoundValue> &items) {
    text += fmt::format("{}{}", letter, items.size());
    for (const BoundValue &item : items) {
      text += ',';
      value(item);
    }
  }
  void all(char letter, const bound::NamedValues &items) {
    text += fmt::format("{}{}", letter, items.size());
    for (const auto &[name, held] : items) {
      text += ',';
      string(name);
      value(held);
    }
  }

  void operator()(std::monostate) { text += 'n'; }
  void operator()(bool flag) { text += flag ? 't' : 'f'; }
  void operator()(int64_t number) { text += fmt::format("i{}", number); }
  void operator()(uint64_t number) { text += fmt::format("u{}", number); }
  // By bits: -0.0 and NaNs are values of their own.
  void operator()(double number) { text += fmt::format("d{:x}", std::bit_cast<uint64_t>(number)); }
  void operator()(const std::string &held) {
    text += 's';
    string(held);
  }
  void operator()(bound::Dtype type) {
    text += fmt::format("y{:*>{}}{}", "", type.pointerDepth, scalarKindName(type.scalar));
  }
  void operator()(const bound::Tuple &tuple) {
    if (!tuple.typeName.empty() || !tuple.fields.empty()) {
      text += 'k';
      string(tuple.typeName);
      for (const std::string &field : tuple.fields)
        string(field);
    }
    all('l', tuple.items);
  }
  void operator()(const bound::List &list) { all('L', list.items); }
  void operator()(const bound::Dict &dict) { all('D', dict.items); }
  void operator()(const bound::Function &function) {
    text += fmt::format("g{},", function.source);
    string(function.name);
  }
  void operator()(const bound::Language &name) {
    text += 'm';
    string(name.path);
  }
  void operator()(const bound::Namespace &object) {
    text += 'o';
    string(object.what);
    all('D', object.attributes);
  }
  void operator()(const std::shared_ptr<const bound::HostFunction> &function) {
    text += 'h';
    string(function ? function->name : "");
  }
  void operator()(const bound::Descriptor &descriptor) {
    text += fmt::format("b{}{}:{}", descriptor.padsWithNan ? 'n' : 'z', descriptor.block.size(),
                        fmt::join(descriptor.block, ","));
  }
  void operator()(bound::Passed) { text += 'p'; }
  void operator()(const bound::Unknown &unknown) {
    text += 'x';
    string(unknown.what);
  }
};

const BoundValue &valueOf(const BoundValue &item) { return item; }
const BoundValue &valueOf(const bound::NamedValue &item) { return item.value; }

bool callsHost(const BoundValue &value, unsigned depth) {
  auto any = [&](const auto &items) {
    return std::ranges::any_of(items, [&](const auto &item) { return callsHost(valueOf(item), depth + 1); });
  };
  if (depth > maxDepth)
    return false;
  if (const std::vector<BoundValue> *items = itemsOf(value))
    return any(*items);
  if (const auto *dict = std::get_if<bound::Dict>(&value.value))
    return any(dict->items);
  if (const auto *object = std::get_if<bound::Namespace>(&value.value))
    return any(object->attributes);
  return std::holds_alternative<std::shared_ptr<const bound::HostFunction>>(value.value);
}

} // namespace

const std::vector<BoundValue> *itemsOf(const BoundValue &value) {
  if (const auto *tuple = std::get_if<bound::Tuple>(&value.value))
    return &tuple->items;
  const auto *list = std::get_if<bound::List>(&value.value);
  return list ? &list->items : nullptr;
}

std::string keyOf(const BoundValue &value) {
  Writer writer;
  writer.value(value);
  return std::move(writer.text);
}

bool callsHost(const BoundValue &value) { return callsHost(value, 0); }

} // namespace tegula
