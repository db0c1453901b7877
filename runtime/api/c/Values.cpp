#include "runtime/api/c/Values.h"

#include <fmt/format.h>

namespace tegula::c {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

/// A value that holds itself would have no end.
static constexpr unsigned maxDepth = 32;

static Error refused(const std::string &name, const std::string &why) {
  return {ErrorKind::InvalidArgument, fmt::format("the value of `{}`: {}", name, why)};
}

static Result<ConstexprValue> convertText(const tegula_value &value, const std::string &name) {
  if (!value.text)
    return refused(name, "expected `text`, found null");
  switch (value.kind) {
  case TEGULA_VALUE_DTYPE: {
    const std::optional<ScalarKind> scalar = parseScalarKind(value.text);
    if (!scalar)
      return refused(name, fmt::format("expected the name of a scalar type, found `{}`", value.text));
    return ConstexprValue{DtypeValue{*scalar}};
  }
  case TEGULA_VALUE_FUNCTION:
    if (value.of.integer < 0)
      return refused(name, fmt::format("expected the number of a source, found {}", value.of.integer));
    return ConstexprValue{FunctionValue{size_t(value.of.integer), value.text}};
  case TEGULA_VALUE_LANGUAGE:
    return ConstexprValue{LanguageValue{value.text}};
  default:
    return ConstexprValue{std::string(value.text)};
  }
}

static Result<ConstexprValue> convert(const tegula_value &value, const std::string &name, unsigned depth) {
  switch (value.kind) {
  case TEGULA_VALUE_NONE:
    return ConstexprValue{std::monostate()};
  case TEGULA_VALUE_BOOL:
    return ConstexprValue{value.of.integer != 0};
  case TEGULA_VALUE_INT:
    return ConstexprValue{value.of.integer};
  case TEGULA_VALUE_UINT:
    if (value.of.integer >= 0) // one value has one form, and with it one compiled kernel
      return ConstexprValue{value.of.integer};
    return ConstexprValue{uint64_t(value.of.integer)};
  case TEGULA_VALUE_FLOAT:
    return ConstexprValue{value.of.floating};
  case TEGULA_VALUE_STRING:
  case TEGULA_VALUE_DTYPE:
  case TEGULA_VALUE_FUNCTION:
  case TEGULA_VALUE_LANGUAGE:
    return convertText(value, name);
  case TEGULA_VALUE_TUPLE:
  case TEGULA_VALUE_LIST: {
    if (depth == maxDepth)
      return refused(name, fmt::format("expected at most {} tuples within each other", maxDepth));
    if (value.count && !value.of.elements)
      return refused(name, "expected `elements`, found null");
    std::vector<ConstexprValue> elements;
    for (uint32_t i = 0; i < value.count; ++i) {
      Result<ConstexprValue> element = convert(value.of.elements[i], name, depth + 1);
      if (!element)
        return element;
      elements.push_back(std::move(*element));
    }
    return ConstexprValue{std::move(elements)};
  }
  default:
    return refused(
        name, fmt::format("expected a number, a string, a type, a function or a tuple of such, found kind {}",
                          value.kind));
  }
}

Result<ConstexprValue> constexprOf(const tegula_value &value, const std::string &name) {
  return convert(value, name, 0);
}

} // namespace tegula::c
