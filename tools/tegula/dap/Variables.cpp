#include "tools/tegula/dap/Variables.h"

#include "tools/tegula/dap/Connection.h"

#include <cmath>

namespace tegula::cli {

using debug::Value;

/// An array of the launch is read up to this many elements.
static constexpr uint64_t maxElements = uint64_t(1) << 20;

int64_t DapVariables::keep(Kept what) {
  kept.push_back(std::move(what));
  return int64_t(kept.size());
}

llvm::json::Array DapVariables::scopes(size_t frame) {
  return llvm::json::Array{llvm::json::Object{{"name", "Locals"},
                                              {"presentationHint", "locals"},
                                              {"variablesReference", keep(Names{frame})},
                                              {"expensive", false}},
                           arrayScope()};
}

llvm::json::Object DapVariables::arrayScope() {
  return llvm::json::Object{{"name", "Arrays"}, {"variablesReference", keep(Arrays{})}, {"expensive", true}};
}

llvm::json::Object DapVariables::shown(const std::string &name, const std::string &expression,
                                       const Value &value) {
  llvm::json::Object made{{"name", jsonText(name)},
                          {"value", jsonText(debug::summary(value))},
                          {"type", jsonText(value.type)},
                          {"evaluateName", jsonText(expression)},
                          {"variablesReference", 0}};
  if (!value.shape.empty()) {
    made["variablesReference"] = keep(Part{std::make_shared<const Value>(value), 0, 0});
    made["indexedVariables"] = value.shape.front();
  }
  return made;
}

llvm::json::Object DapVariables::shown(const std::string &name, const debug::NamedValue &named,
                                       llvm::ArrayRef<debug::Array> arrays) {
  if (const std::optional<Value> value = debug::valueOf(named, arrays))
    return shown(name, name, *value);
  return llvm::json::Object{{"name", jsonText(name)},
                            {"value", jsonText(debug::describe(named))},
                            {"type", jsonText(named.type)},
                            {"variablesReference", 0}};
}

llvm::json::Array DapVariables::childrenOf(const Part &part, size_t start, size_t count) {
  const Value &value = *part.value;
  const auto side = size_t(value.shape[part.dim]);
  size_t inner = 1;
  for (size_t dim = part.dim + 1; dim < value.shape.size(); ++dim)
    inner *= size_t(value.shape[dim]);
  llvm::json::Array made;
  const size_t end = count ? std::min(side, start + count) : side;
  for (size_t i = start; i < end; ++i) {
    const size_t first = part.first + i * inner;
    llvm::json::Object child{{"name", "[" + std::to_string(i) + "]"}, {"variablesReference", 0}};
    if (part.dim + 1 == value.shape.size()) {
      child["value"] = jsonText(debug::elementText(value, first));
    } else {
      Value row;
      row.kind = value.kind;
      row.type = value.type.substr(0, value.type.find('['));
      row.pointees = value.pointees;
      row.shape.assign(value.shape.begin() + ptrdiff_t(part.dim) + 1, value.shape.end());
      for (size_t at = first; at < first + inner; ++at)
        row.append(value, at);
      child["value"] = jsonText(debug::summary(row));
      child["variablesReference"] = keep(Part{part.value, part.dim + 1, first});
      child["indexedVariables"] = value.shape[part.dim + 1];
    }
    made.push_back(std::move(child));
  }
  return made;
}

std::optional<llvm::json::Array> DapVariables::children(int64_t number, size_t start, size_t count) {
  if (number < 1 || number > int64_t(kept.size()))
    return std::nullopt;
  const Kept what = kept[size_t(number) - 1];
  if (const auto *part = std::get_if<Part>(&what))
    return childrenOf(*part, start, count);
  if (const auto *make = std::get_if<MakeChildren>(&what))
    return (*make)();
  llvm::json::Array made;
  if (const auto *names = std::get_if<Names>(&what)) {
    const debug::Scope scope = scopeOf(names->frame);
    if (scope.names)
      for (const auto &[name, value] : *scope.names)
        made.push_back(shown(name.str(), value, scope.arrays));
    return made;
  }
  const debug::Scope scope = scopeOf(0);
  for (const debug::Array &array : scope.arrays)
    made.push_back(shown(array.name, array.name, debug::valueOf(scope.read, array, maxElements)));
  return made;
}

std::optional<llvm::json::Object> DapVariables::evaluate(const std::string &text, size_t frame,
                                                         std::string &error) {
  const std::optional<debug::Expression> parsed = debug::Expression::parse(text, error);
  if (!parsed)
    return std::nullopt;
  const debug::Scope scope = scopeOf(frame);
  const std::string name = parsed->name();
  if (const debug::NamedValue *named = scope.find(name); named && !debug::arrayNamed(scope.arrays, name)) {
    llvm::json::Object made = shown(name, *named, scope.arrays);
    made["result"] = *made.get("value");
    return made;
  }
  const std::optional<Value> value = parsed->evaluate(scope, error);
  if (!value)
    return std::nullopt;
  llvm::json::Object made = shown(text, text, *value);
  made["result"] = *made.get("value");
  return made;
}

llvm::json::Object DapVariables::elements(const Value &value) {
  llvm::json::Array shape, elements;
  for (int64_t side : value.shape)
    shape.push_back(side);
  for (size_t i = 0; i < value.size(); ++i) {
    if (value.isUndefined(i))
      elements.push_back(nullptr);
    else if (value.kind == Value::Real && !std::isfinite(value.reals[i]))
      elements.push_back(debug::elementText(value, i));
    else if (value.kind == Value::Real)
      elements.push_back(value.reals[i]);
    else
      elements.push_back(value.wholes[i]);
  }
  return llvm::json::Object{{"type", jsonText(value.type)},
                            {"summary", jsonText(debug::summary(value))},
                            {"shape", std::move(shape)},
                            {"elements", std::move(elements)}};
}

std::optional<llvm::json::Object> DapVariables::tile(const std::string &text, size_t frame,
                                                     std::string &error) {
  const std::optional<debug::Expression> parsed = debug::Expression::parse(text, error);
  const std::optional<Value> value = parsed ? parsed->evaluate(scopeOf(frame), error) : std::nullopt;
  return value ? std::optional(elements(*value)) : std::nullopt;
}

} // namespace tegula::cli
