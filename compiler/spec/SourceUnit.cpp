#include "compiler/spec/SourceUnit.h"

#include <bit>

namespace tegula {
namespace {

using bound::NamedValues;

/// Deeper than any value that can be used.
constexpr unsigned maxDepth = 64;

/// Appends values so that no two different ones give the same text: what has no fixed length tells it first.
class Writer {
public:
  std::string text;

  void number(uint64_t value) { text += std::to_string(value) + ' '; }
  void string(std::string_view value) {
    number(value.size());
    text += value;
  }

  void value(const BoundValue &bound, unsigned depth = 0) {
    if (depth > maxDepth)
      return;
    number(bound.value.index());
    text += bound.isConstexpr ? '!' : '.';
    std::visit([&](const auto &held) { write(held, depth + 1); }, bound.value);
  }

private:
  void write(std::monostate, unsigned) {}
  void write(bool flag, unsigned) { number(flag); }
  void write(int64_t integer, unsigned) { number(uint64_t(integer)); }
  void write(uint64_t integer, unsigned) { number(integer); }
  void write(double real, unsigned) { number(std::bit_cast<uint64_t>(real)); }
  void write(const std::string &held, unsigned) { string(held); }
  void write(const bound::Dtype &type, unsigned) {
    number(uint64_t(type.scalar));
    number(type.pointerDepth);
  }
  void write(const bound::Tuple &tuple, unsigned depth) {
    write(tuple.items, depth);
    number(tuple.fields.size());
    for (const std::string &field : tuple.fields)
      string(field);
    string(tuple.typeName);
  }
  void write(const bound::List &list, unsigned depth) { write(list.items, depth); }
  void write(const bound::Dict &dict, unsigned depth) { write(dict.items, depth); }
  void write(const bound::Function &function, unsigned) {
    number(function.source);
    string(function.name);
  }
  void write(const bound::Language &name, unsigned) { string(name.path); }
  void write(const bound::Namespace &object, unsigned depth) {
    string(object.what);
    write(object.attributes, depth);
  }
  void write(const std::shared_ptr<const bound::HostFunction> &function, unsigned) {
    string(function ? function->name : "");
  }
  void write(const bound::Unknown &unknown, unsigned) { string(unknown.what); }

  void write(const std::vector<BoundValue> &items, unsigned depth) {
    number(items.size());
    for (const BoundValue &item : items)
      value(item, depth);
  }
  void write(const NamedValues &items, unsigned depth) {
    number(items.size());
    for (const auto &[name, held] : items) {
      string(name);
      value(held, depth);
    }
  }
};

bool callsHost(const BoundValue &bound, unsigned depth) {
  if (depth > maxDepth)
    return false;
  auto any = [&](const std::vector<BoundValue> &items) {
    for (const BoundValue &item : items)
      if (callsHost(item, depth + 1))
        return true;
    return false;
  };
  auto anyNamed = [&](const NamedValues &items) {
    for (const auto &[name, item] : items)
      if (callsHost(item, depth + 1))
        return true;
    return false;
  };
  if (const auto *tuple = std::get_if<bound::Tuple>(&bound.value))
    return any(tuple->items);
  if (const auto *list = std::get_if<bound::List>(&bound.value))
    return any(list->items);
  if (const auto *dict = std::get_if<bound::Dict>(&bound.value))
    return anyNamed(dict->items);
  if (const auto *object = std::get_if<bound::Namespace>(&bound.value))
    return anyNamed(object->attributes);
  return std::holds_alternative<std::shared_ptr<const bound::HostFunction>>(bound.value);
}

struct Binder {
  BoundValue operator()(const DtypeValue &type) const { return {bound::Dtype{type.kind}}; }
  BoundValue operator()(const std::vector<ConstexprValue> &items) const {
    bound::Tuple tuple;
    for (const ConstexprValue &item : items)
      tuple.items.push_back(boundValue(item));
    return {std::move(tuple)};
  }
  BoundValue operator()(const NamedTupleValue &named) const {
    bound::Tuple tuple{.items = {}, .fields = named.fields, .typeName = named.type};
    for (const ConstexprValue &item : named.items)
      tuple.items.push_back(boundValue(item));
    return {std::move(tuple)};
  }
  BoundValue operator()(const PassedValue &) const { return {bound::Unknown{"an argument of a launch"}}; }
  // Where the host computes with it: what heuristics may ask a descriptor for.
  BoundValue operator()(const DescriptorValue &descriptor) const {
    bound::List sides;
    for (int64_t side : descriptor.block)
      sides.items.push_back({side});
    return {bound::Namespace{"tensor descriptor", {{"block_shape", {std::move(sides)}}}}};
  }
  template <typename T> BoundValue operator()(const T &same) const { return {same}; }
};

} // namespace

BoundValue boundValue(const ConstexprValue &value) { return std::visit(Binder(), value.value); }

std::string programIdentity(const std::vector<SourceUnit> &units, size_t entry) {
  Writer writer;
  writer.number(entry);
  for (const SourceUnit &unit : units) {
    writer.string(unit.text);
    writer.number(unit.firstLine);
    writer.number(unit.names.size());
    for (const auto &[name, value] : unit.names) {
      writer.string(name);
      writer.value(value);
    }
  }
  return std::move(writer.text);
}

bool callsHost(const std::vector<SourceUnit> &units) {
  for (const SourceUnit &unit : units)
    for (const auto &[name, value] : unit.names)
      if (callsHost(value, 0))
        return true;
  return false;
}

} // namespace tegula
