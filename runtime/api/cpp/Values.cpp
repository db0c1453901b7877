#include "runtime/api/cpp/Impl.h"

#include "runtime/host/ScalarBits.h"

#include <fmt/format.h>

#include <utility>

namespace tegula {
inline namespace v1 {

using runtime::Result;

static_assert(int(Constexpr::Kind::Bool) == int(HostValue::Bool) &&
              int(Constexpr::Kind::UInt) == int(HostValue::UInt));

namespace {

/// Converts from the program to the compiler.
class Reader {
public:
  Reader(const std::string &name, bool isParameter) : name(name), isParameter(isParameter) {}

  Result<BoundValue> read(Constexpr value) const {
    // A parameter's declaration says itself that it is a `tl.constexpr`.
    const bool isConstexpr = !isParameter && isData(value.kind);
    Result<BoundValue> converted = readKind(std::move(value));
    if (converted)
      converted->isConstexpr = isConstexpr;
    return converted;
  }

private:
  static bool isData(Constexpr::Kind kind) {
    using Kind = Constexpr::Kind;
    return kind <= Kind::String || kind == Kind::Tuple || kind == Kind::List || kind == Kind::Dict;
  }

  runtime::Error refused(const char *expected, const char *found) const {
    return {runtime::ErrorKind::InvalidArgument,
            fmt::format("the value of `{}`: expected {}, found {}", name, expected, found)};
  }

  Result<BoundValue> readKind(Constexpr &&value) const {
    switch (value.kind) {
    case Constexpr::Kind::Float:
      return BoundValue{value.floating};
    case Constexpr::Kind::String:
      return BoundValue{std::move(value.text)};
    case Constexpr::Kind::Type:
      return BoundValue{bound::Dtype{ScalarKind(value.dtype), uint8_t(value.integer)}};
    case Constexpr::Kind::Function:
      return BoundValue{bound::Function{.source = size_t(value.integer), .name = std::move(value.text)}};
    case Constexpr::Kind::Descriptor:
      if (!isParameter)
        return refused("a value that a name can have", "the blocks of a descriptor");
      return BoundValue{bound::Descriptor{std::move(value.block), value.integer != 0}};
    case Constexpr::Kind::Language:
      return BoundValue{bound::Language{std::move(value.text)}};
    case Constexpr::Kind::Unknown:
      return BoundValue{bound::Unknown{std::move(value.text)}};
    case Constexpr::Kind::Host:
      if (isParameter)
        return refused("a function that kernels call", "one of the host program");
      return hostFunction(std::move(value));
    case Constexpr::Kind::Tuple:
    case Constexpr::Kind::List:
    case Constexpr::Kind::Dict:
    case Constexpr::Kind::Namespace:
      return readItems(std::move(value));
    default:
      return *compileTimeValue({HostValue::Kind(value.kind), {}, value.integer});
    }
  }

  Result<BoundValue> readItems(Constexpr &&value) const {
    std::vector<BoundValue> items;
    bound::NamedValues named;
    for (size_t i = 0; i < value.items.size(); ++i) {
      Result<BoundValue> item = read(std::move(value.items[i]));
      if (!item)
        return item;
      if (i < value.names.size())
        named.push_back({value.names[i], std::move(*item)});
      else
        items.push_back(std::move(*item));
    }
    switch (value.kind) {
    case Constexpr::Kind::Tuple:
      for (bound::NamedValue &field : named)
        items.push_back(std::move(field.value));
      return BoundValue{bound::Tuple{std::move(items), std::move(value.names), std::move(value.text)}};
    case Constexpr::Kind::List:
      return BoundValue{bound::List{std::move(items)}};
    case Constexpr::Kind::Dict:
      return BoundValue{bound::Dict{std::move(named)}};
    default:
      return BoundValue{bound::Namespace{std::move(value.text), std::move(named)}};
    }
  }

  static BoundValue hostFunction(Constexpr &&value);

  const std::string &name;
  const bool isParameter;
};

/// Converts from the compiler to the program, which a host function is part of.
struct Writer {
  static Constexpr of(const BoundValue &value) { return std::visit(Writer(), value.value); }

  static std::vector<NamedConstexpr> named(const bound::NamedValues &values) {
    std::vector<NamedConstexpr> converted;
    for (const bound::NamedValue &item : values)
      converted.push_back({item.name, of(item.value)});
    return converted;
  }
  static std::vector<Constexpr> sequence(const std::vector<BoundValue> &values) {
    std::vector<Constexpr> converted;
    for (const BoundValue &item : values)
      converted.push_back(of(item));
    return converted;
  }

  Constexpr operator()(std::monostate) const { return std::nullopt; }
  Constexpr operator()(bool flag) const { return flag; }
  Constexpr operator()(int64_t number) const { return number; }
  Constexpr operator()(uint64_t number) const { return number; }
  Constexpr operator()(double number) const { return number; }
  Constexpr operator()(const std::string &text) const { return text; }
  Constexpr operator()(bound::Dtype type) const {
    Constexpr value{Dtype(type.scalar)};
    value.integer = type.pointerDepth;
    return value;
  }
  Constexpr operator()(const bound::Tuple &tuple) const {
    Constexpr value = Constexpr::tuple(sequence(tuple.items));
    value.names = tuple.fields;
    value.text = tuple.typeName;
    return value;
  }
  Constexpr operator()(const bound::List &list) const { return Constexpr::list(sequence(list.items)); }
  Constexpr operator()(const bound::Dict &dict) const { return Constexpr::dict(named(dict.items)); }
  Constexpr operator()(const bound::Function &function) const {
    return Constexpr::function(function.name, function.source);
  }
  Constexpr operator()(const bound::Language &language) const { return Constexpr::language(language.path); }
  Constexpr operator()(const bound::Namespace &space) const {
    return Constexpr::object(space.what, named(space.attributes));
  }
  Constexpr operator()(const std::shared_ptr<const bound::HostFunction> &function) const {
    return Constexpr::unknown(function->name);
  }
  // Parameters have these; none is handed to a host function.
  Constexpr operator()(const bound::Descriptor &) const { return Constexpr::unknown("a tensor descriptor"); }
  Constexpr operator()(bound::Passed) const { return Constexpr::unknown("an argument of a launch"); }
  Constexpr operator()(const bound::Unknown &unknown) const { return Constexpr::unknown(unknown.what); }
};

std::variant<BoundValue, bound::HostError> callHost(const std::string &name, const HostFunction &call,
                                                    const bound::HostArguments &arguments) {
  try {
    std::vector<NamedConstexpr> values;
    for (const BoundValue &value : arguments.positional)
      values.push_back({"", Writer::of(value)});
    for (const bound::NamedValue &keyword : arguments.keywords)
      values.push_back({keyword.name, Writer::of(keyword.value)});
    Result<BoundValue> result = Reader(name, false).read(call(values));
    if (!result)
      return bound::HostError{result.error().text};
    return std::move(*result);
  } catch (const std::exception &thrown) {
    return bound::HostError{thrown.what()};
  } catch (...) {
    return bound::HostError{"it gives no reason"};
  }
}

BoundValue Reader::hostFunction(Constexpr &&value) {
  auto function = std::make_shared<bound::HostFunction>();
  function->name = value.text;
  function->call = [call = std::move(value.call), name = std::move(value.text)](
                       const bound::HostArguments &arguments) { return callHost(name, *call, arguments); };
  return BoundValue{std::shared_ptr<const bound::HostFunction>(std::move(function))};
}

} // namespace

Result<BoundValue> parameterValue(const std::string &name, Constexpr value) {
  return Reader(name, true).read(std::move(value));
}

Result<BoundValue> nameValue(const std::string &name, Constexpr value) {
  return Reader(name, false).read(std::move(value));
}

} // namespace v1
} // namespace tegula
