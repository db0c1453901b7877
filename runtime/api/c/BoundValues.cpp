#include "runtime/api/c/BoundValues.h"

#include <fmt/format.h>

#include <memory>
#include <mutex>
#include <variant>

namespace tegula::c {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

OwnedContexts::~OwnedContexts() {
  for (auto owned = contexts.rbegin(); owned != contexts.rend(); ++owned)
    owned->second(owned->first);
}

/// A value that holds itself would have no end.
static constexpr unsigned maxDepth = 64;

namespace {

/// From the host to the compiler.
class Reader {
public:
  Reader(const std::string &name, const std::shared_ptr<const OwnedContexts> &contexts)
      : name(name), contexts(contexts) {}

  Result<BoundValue> read(const tegula_value &value, unsigned depth) {
    Result<BoundValue> converted = readKind(value, depth);
    if (converted)
      converted->isConstexpr = contexts && value.is_constexpr;
    return converted;
  }

private:
  Error refused(const std::string &why) const {
    return {ErrorKind::InvalidArgument, fmt::format("the value of `{}`: {}", name, why)};
  }

  Result<BoundValue> readKind(const tegula_value &value, unsigned depth) {
    switch (value.kind) {
    case TEGULA_VALUE_NONE:
      return BoundValue{};
    case TEGULA_VALUE_BOOL:
      return BoundValue{value.of.integer != 0};
    case TEGULA_VALUE_INT:
      return BoundValue{value.of.integer};
    case TEGULA_VALUE_UINT:
      if (value.of.integer >= 0) // one value has one form
        return BoundValue{value.of.integer};
      return BoundValue{uint64_t(value.of.integer)};
    case TEGULA_VALUE_FLOAT:
      return BoundValue{value.of.floating};
    case TEGULA_VALUE_TUPLE:
    case TEGULA_VALUE_LIST:
    case TEGULA_VALUE_DICT:
    case TEGULA_VALUE_NAMESPACE:
      if (depth == maxDepth)
        return refused(fmt::format("expected at most {} values within each other", maxDepth));
      return readElements(value, depth + 1);
    case TEGULA_VALUE_STRING:
    case TEGULA_VALUE_DTYPE:
    case TEGULA_VALUE_FUNCTION:
    case TEGULA_VALUE_LANGUAGE:
    case TEGULA_VALUE_HOST_FUNCTION:
    case TEGULA_VALUE_UNKNOWN:
      if (!value.text)
        return refused("expected `text`, found null");
      return readText(value);
    default:
      return refused(fmt::format("expected a kind of value, found {}", value.kind));
    }
  }

  Result<BoundValue> readText(const tegula_value &value) {
    switch (value.kind) {
    case TEGULA_VALUE_DTYPE:
      return readDtype(value.text);
    case TEGULA_VALUE_FUNCTION:
      if (value.of.integer < 0)
        return refused(fmt::format("expected the number of a source, found {}", value.of.integer));
      return BoundValue{bound::Function{size_t(value.of.integer), value.text}};
    case TEGULA_VALUE_LANGUAGE:
      return BoundValue{bound::Language{value.text}};
    case TEGULA_VALUE_HOST_FUNCTION:
      if (!contexts)
        return refused("expected a function that kernels call, found one of the host program");
      if (!value.of.call)
        return refused("expected `call`, found null");
      return readHostFunction(value);
    case TEGULA_VALUE_UNKNOWN:
      return BoundValue{bound::Unknown{value.text}};
    default:
      return BoundValue{std::string(value.text)};
    }
  }

  Result<BoundValue> readDtype(std::string_view text) {
    std::string_view rest = text;
    while (rest.starts_with('*'))
      rest.remove_prefix(1);
    const size_t depth = text.size() - rest.size();
    const std::optional<ScalarKind> scalar = parseScalarKind(rest);
    if (!scalar || depth > UINT8_MAX)
      return refused(fmt::format("expected the name of a type, found `{}`", text));
    return BoundValue{bound::Dtype{*scalar, uint8_t(depth)}};
  }

  Result<BoundValue> readElements(const tegula_value &value, unsigned depth) {
    const bool isNamed = value.kind == TEGULA_VALUE_DICT || value.kind == TEGULA_VALUE_NAMESPACE;
    if (value.count && !value.of.elements)
      return refused("expected `elements`, found null");
    if (value.count && isNamed && !value.names)
      return refused("expected `names`, found null");
    std::vector<BoundValue> items;
    std::vector<std::string> names;
    for (uint32_t i = 0; i < value.count; ++i) {
      Result<BoundValue> item = read(value.of.elements[i], depth);
      if (!item)
        return item;
      items.push_back(std::move(*item));
      if (!value.names)
        continue;
      if (!value.names[i])
        return refused(fmt::format("expected name {}, found null", i));
      names.emplace_back(value.names[i]);
    }
    const std::string text = value.text ? value.text : "";
    if (value.kind == TEGULA_VALUE_TUPLE)
      return BoundValue{bound::Tuple{std::move(items), std::move(names), text}};
    if (value.kind == TEGULA_VALUE_LIST)
      return BoundValue{bound::List{std::move(items)}};
    bound::NamedValues named;
    for (size_t i = 0; i < items.size(); ++i)
      named.push_back({std::move(names[i]), std::move(items[i])});
    if (value.kind == TEGULA_VALUE_DICT)
      return BoundValue{bound::Dict{std::move(named)}};
    return BoundValue{bound::Namespace{text, std::move(named)}};
  }

  Result<BoundValue> readHostFunction(const tegula_value &value) const {
    auto function = std::make_shared<bound::HostFunction>();
    function->name = value.text;
    // The result of a call stays valid until the next with this context only.
    function->call = [call = value.of.call, context = value.context, name = function->name,
                      contexts = contexts,
                      mutex = std::make_shared<std::mutex>()](const bound::HostArguments &arguments) {
      return callHost(call, context, name, contexts, *mutex, arguments);
    };
    return BoundValue{std::shared_ptr<const bound::HostFunction>(std::move(function))};
  }

  static std::variant<BoundValue, bound::HostError>
  callHost(tegula_host_call call, void *context, const std::string &name,
           const std::shared_ptr<const OwnedContexts> &contexts, std::mutex &mutex,
           const bound::HostArguments &arguments) {
    ValueViews host;
    std::vector<tegula_value> values;
    values.reserve(arguments.positional.size() + arguments.keywords.size());
    std::vector<const char *> names(arguments.positional.size(), nullptr);
    for (const BoundValue &value : arguments.positional)
      values.push_back(host.convert(value));
    for (const bound::NamedValue &keyword : arguments.keywords) {
      values.push_back(host.convert(keyword.value));
      names.push_back(keyword.name.c_str());
    }
    tegula_value result{};
    const std::lock_guard lock(mutex);
    if (!call(context, values.data(), names.data(), values.size(), &result))
      return bound::HostError{result.kind == TEGULA_VALUE_STRING && result.text ? result.text
                                                                                : "it gives no reason"};
    Result<BoundValue> converted = Reader(name, contexts).read(result, 0);
    if (!converted)
      return bound::HostError{converted.error().text};
    return std::move(*converted);
  }

  const std::string &name;
  const std::shared_ptr<const OwnedContexts> &contexts;
};

} // namespace

Result<BoundValue> boundValueOf(const tegula_value &value, const std::string &name,
                                const std::shared_ptr<const OwnedContexts> &contexts) {
  return Reader(name, contexts).read(value, 0);
}

Result<void> requireSource(size_t source, size_t count) {
  if (source >= count)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("expected the number of one of {} sources, found {}", count, source)};
  return {};
}

tegula_value ValueViews::sequence(tegula_value_kind kind, const std::vector<BoundValue> &items) {
  std::vector<tegula_value> converted;
  converted.reserve(items.size());
  for (const BoundValue &item : items)
    converted.push_back(convert(item));
  tegula_value value{};
  value.kind = uint8_t(kind);
  value.count = uint32_t(converted.size());
  value.of.elements = elements.emplace_back(std::move(converted)).data();
  return value;
}

tegula_value ValueViews::named(tegula_value_kind kind, const bound::NamedValues &items) {
  std::vector<BoundValue> values;
  std::vector<const char *> keys;
  for (const bound::NamedValue &item : items) {
    values.push_back(item.value);
    keys.push_back(item.name.c_str());
  }
  tegula_value value = sequence(kind, values);
  value.names = names.emplace_back(std::move(keys)).data();
  return value;
}

tegula_value ValueViews::convert(const BoundValue &value) {
  struct Writer {
    ValueViews &host;
    static tegula_value of(tegula_value_kind kind, int64_t integer) {
      tegula_value value{};
      value.kind = uint8_t(kind);
      value.of.integer = integer;
      return value;
    }
    static tegula_value of(tegula_value_kind kind, const std::string &text, int64_t integer = 0) {
      tegula_value value = of(kind, integer);
      value.text = text.c_str();
      return value;
    }
    tegula_value operator()(std::monostate) { return of(TEGULA_VALUE_NONE, 0); }
    tegula_value operator()(bool flag) { return of(TEGULA_VALUE_BOOL, int64_t(flag)); }
    tegula_value operator()(int64_t number) { return of(TEGULA_VALUE_INT, number); }
    tegula_value operator()(uint64_t number) { return of(TEGULA_VALUE_UINT, int64_t(number)); }
    tegula_value operator()(double number) {
      tegula_value value = of(TEGULA_VALUE_FLOAT, 0);
      value.of.floating = number;
      return value;
    }
    tegula_value operator()(const std::string &text) { return of(TEGULA_VALUE_STRING, text); }
    tegula_value operator()(bound::Dtype type) {
      const std::string &text = host.texts.emplace_back(std::string(type.pointerDepth, '*') +
                                                        std::string(scalarKindName(type.scalar)));
      return of(TEGULA_VALUE_DTYPE, text);
    }
    tegula_value operator()(const bound::Tuple &tuple) {
      tegula_value value = host.sequence(TEGULA_VALUE_TUPLE, tuple.items);
      if (tuple.fields.empty())
        return value;
      std::vector<const char *> &fields = host.names.emplace_back();
      for (const std::string &field : tuple.fields)
        fields.push_back(field.c_str());
      value.names = fields.data();
      value.text = tuple.typeName.c_str();
      return value;
    }
    tegula_value operator()(const bound::List &list) { return host.sequence(TEGULA_VALUE_LIST, list.items); }
    tegula_value operator()(const bound::Dict &dict) { return host.named(TEGULA_VALUE_DICT, dict.items); }
    tegula_value operator()(const bound::Function &function) {
      return of(TEGULA_VALUE_FUNCTION, function.name, int64_t(function.source));
    }
    tegula_value operator()(const bound::Language &language) {
      return of(TEGULA_VALUE_LANGUAGE, language.path);
    }
    tegula_value operator()(const bound::Namespace &space) {
      tegula_value value = host.named(TEGULA_VALUE_NAMESPACE, space.attributes);
      value.text = space.what.c_str();
      return value;
    }
    tegula_value operator()(const std::shared_ptr<const bound::HostFunction> &function) {
      // Its C function is not known any more; a host can say no more of it than its name.
      return of(TEGULA_VALUE_UNKNOWN, function->name);
    }
    // Hosts pass these to kernels; none is handed back.
    tegula_value operator()(const bound::Descriptor &) {
      return of(TEGULA_VALUE_UNKNOWN, host.texts.emplace_back("a tensor descriptor"));
    }
    tegula_value operator()(bound::Passed) {
      return of(TEGULA_VALUE_UNKNOWN, host.texts.emplace_back("an argument of a launch"));
    }
    tegula_value operator()(const bound::Unknown &unknown) { return of(TEGULA_VALUE_UNKNOWN, unknown.what); }
  };
  tegula_value converted = std::visit(Writer{*this}, value.value);
  converted.is_constexpr = value.isConstexpr;
  return converted;
}

} // namespace tegula::c
