#include "compiler/driver/BoundValueJson.h"

#include <bit>
#include <charconv>

#include <fmt/format.h>

namespace tegula {

namespace json = llvm::json;

/// Deeper than any value that can be used.
static constexpr unsigned maxDepth = 64;

json::Value jsonText(std::string_view text) {
  const llvm::StringRef held(text.data(), text.size());
  return json::isUTF8(held) ? json::Value(held.str()) : json::Value(json::fixUTF8(held));
}

namespace {

struct Writer {
  unsigned depth = 0;

  json::Value value(const BoundValue &bound) {
    if (depth >= maxDepth)
      return nullptr;
    ++depth;
    json::Value plain = std::visit(*this, bound.value);
    --depth;
    return bound.isConstexpr ? json::Object{{"constexpr", std::move(plain)}} : std::move(plain);
  }
  json::Array all(const std::vector<BoundValue> &items) {
    json::Array array;
    for (const BoundValue &item : items)
      array.push_back(value(item));
    return array;
  }
  json::Array all(const bound::NamedValues &items) {
    json::Array array;
    for (const auto &[name, held] : items)
      array.push_back(json::Array{jsonText(name), value(held)});
    return array;
  }

  json::Value operator()(std::monostate) { return nullptr; }
  json::Value operator()(bool flag) { return flag; }
  json::Value operator()(int64_t number) { return number; }
  json::Value operator()(uint64_t number) { return json::Object{{"u64", fmt::format("{}", number)}}; }
  json::Value operator()(double number) {
    return json::Object{{"f64", fmt::format("{:016x}", std::bit_cast<uint64_t>(number))}};
  }
  json::Value operator()(const std::string &held) { return jsonText(held); }
  json::Value operator()(bound::Dtype type) {
    return json::Object{
        {"type", fmt::format("{:*>{}}{}", "", type.pointerDepth, scalarKindName(type.scalar))}};
  }
  json::Value operator()(const bound::Tuple &tuple) {
    json::Object object{{"tuple", all(tuple.items)}};
    if (!tuple.typeName.empty() || !tuple.fields.empty()) {
      json::Array fields;
      for (const std::string &field : tuple.fields)
        fields.push_back(jsonText(field));
      object["fields"] = std::move(fields);
      object["name"] = jsonText(tuple.typeName);
    }
    return object;
  }
  json::Value operator()(const bound::List &list) { return json::Object{{"list", all(list.items)}}; }
  json::Value operator()(const bound::Dict &dict) { return json::Object{{"dict", all(dict.items)}}; }
  json::Value operator()(const bound::Function &function) {
    return json::Object{{"function", jsonText(function.name)}, {"source", int64_t(function.source)}};
  }
  json::Value operator()(const bound::Language &name) {
    return json::Object{{"language", jsonText(name.path)}};
  }
  json::Value operator()(const bound::Namespace &object) {
    return json::Object{{"object", jsonText(object.what)}, {"attributes", all(object.attributes)}};
  }
  json::Value operator()(const std::shared_ptr<const bound::HostFunction> &function) {
    return json::Object{{"host", jsonText(function ? function->name : "")}};
  }
  json::Value operator()(const bound::Descriptor &descriptor) {
    return json::Object{{"descriptor", json::Array(descriptor.block)}, {"nan", descriptor.padsWithNan}};
  }
  json::Value operator()(bound::Passed) { return json::Object{{"passed", true}}; }
  json::Value operator()(const bound::Unknown &unknown) {
    return json::Object{{"unknown", jsonText(unknown.what)}};
  }
};

/// Reads values; what it cannot read makes `failed` true.
struct Reader {
  bool failed = false;
  unsigned depth = 0;

  BoundValue fail() {
    failed = true;
    return {};
  }
  BoundValue value(const json::Value &json);
  BoundValue object(const json::Object &object);
  std::vector<BoundValue> all(const json::Value &json);
  bound::NamedValues named(const json::Value *json);
  std::string text(const json::Value *json);
  template <typename Number> BoundValue number(const json::Value &json, int base);
};

BoundValue Reader::value(const json::Value &json) {
  if (failed || depth >= maxDepth)
    return fail();
  switch (json.kind()) {
  case json::Value::Null:
    return {};
  case json::Value::Boolean:
    return {*json.getAsBoolean()};
  case json::Value::String:
    return {json.getAsString()->str()};
  case json::Value::Number:
    if (std::optional<int64_t> number = json.getAsInteger())
      return {*number};
    return fail();
  case json::Value::Array:
    return fail();
  case json::Value::Object:
    break;
  }
  ++depth;
  BoundValue read = object(*json.getAsObject());
  --depth;
  return read;
}

std::string Reader::text(const json::Value *json) {
  std::optional<llvm::StringRef> held = json ? json->getAsString() : std::nullopt;
  if (held)
    return held->str();
  failed = true;
  return {};
}

std::vector<BoundValue> Reader::all(const json::Value &json) {
  std::vector<BoundValue> items;
  const json::Array *array = json.getAsArray();
  failed |= !array;
  for (size_t i = 0; !failed && i < array->size(); ++i)
    items.push_back(value((*array)[i]));
  return items;
}

bound::NamedValues Reader::named(const json::Value *json) {
  bound::NamedValues items;
  const json::Array *array = json ? json->getAsArray() : nullptr;
  failed |= !array;
  for (size_t i = 0; !failed && i < array->size(); ++i) {
    const json::Array *pair = (*array)[i].getAsArray();
    failed |= !pair || pair->size() != 2;
    if (!failed)
      items.push_back({text(&(*pair)[0]), value((*pair)[1])});
  }
  return items;
}

template <typename Number> BoundValue Reader::number(const json::Value &json, int base) {
  const std::string digits = text(&json);
  uint64_t bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, base);
  if (error != std::errc() || end != digits.data() + digits.size())
    return fail();
  return {std::bit_cast<Number>(bits)};
}

BoundValue Reader::object(const json::Object &object) {
  if (const json::Value *held = object.get("constexpr")) {
    BoundValue read = value(*held);
    read.isConstexpr = true;
    return read;
  }
  if (const json::Value *held = object.get("u64"))
    return number<uint64_t>(*held, 10);
  if (const json::Value *held = object.get("f64"))
    return number<double>(*held, 16);
  if (const json::Value *held = object.get("type")) {
    const std::string spelling = text(held);
    const size_t stars = std::min(spelling.find_first_not_of('*'), spelling.size());
    const std::optional<ScalarKind> scalar = parseScalarKind(std::string_view(spelling).substr(stars));
    return scalar && stars <= UINT8_MAX ? BoundValue{bound::Dtype{*scalar, uint8_t(stars)}} : fail();
  }
  if (const json::Value *held = object.get("tuple")) {
    bound::Tuple tuple{all(*held)};
    if (const json::Value *name = object.get("name")) {
      tuple.typeName = text(name);
      const json::Array *fields = object.getArray("fields");
      failed |= !fields;
      for (size_t i = 0; !failed && i < fields->size(); ++i)
        tuple.fields.push_back(text(&(*fields)[i]));
    }
    return {std::move(tuple)};
  }
  if (const json::Value *held = object.get("list"))
    return {bound::List{all(*held)}};
  if (const json::Value *held = object.get("dict"))
    return {bound::Dict{named(held)}};
  if (const json::Value *held = object.get("function")) {
    const std::optional<int64_t> source = object.getInteger("source");
    return source && *source >= 0 ? BoundValue{bound::Function{size_t(*source), text(held)}} : fail();
  }
  if (const json::Value *held = object.get("language"))
    return {bound::Language{text(held)}};
  if (const json::Value *held = object.get("object"))
    return {bound::Namespace{text(held), named(object.get("attributes"))}};
  if (const json::Array *sides = object.getArray("descriptor")) {
    bound::Descriptor descriptor{{}, object.getBoolean("nan").value_or(false)};
    for (const json::Value &side : *sides)
      descriptor.block.push_back(side.getAsInteger().value_or(0));
    return {std::move(descriptor)};
  }
  if (const json::Value *held = object.get("host")) {
    std::string name = text(held);
    bound::HostError refusal{fmt::format("`{}` is a function of the process that recorded it", name)};
    return {std::make_shared<const bound::HostFunction>(
        bound::HostFunction{std::move(name), [refusal](const bound::HostArguments &) { return refusal; }})};
  }
  if (object.get("passed"))
    return {bound::Passed()};
  if (const json::Value *held = object.get("unknown"))
    return {bound::Unknown{text(held)}};
  return fail();
}

} // namespace

json::Value toJson(const BoundValue &value) { return Writer().value(value); }

std::optional<BoundValue> boundValueFromJson(const json::Value &json) {
  Reader reader;
  BoundValue value = reader.value(json);
  if (reader.failed)
    return std::nullopt;
  return value;
}

} // namespace tegula
