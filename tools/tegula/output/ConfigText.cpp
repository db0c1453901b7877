#include "tools/tegula/output/ConfigText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace tegula::cli {

std::string valueText(const ConstexprValue &value) {
  if (const bool *truth = std::get_if<bool>(&value.value))
    return *truth ? "True" : "False";
  if (const auto *integer = std::get_if<int64_t>(&value.value))
    return fmt::format("{}", *integer);
  if (const auto *integer = std::get_if<uint64_t>(&value.value))
    return fmt::format("{}", *integer);
  if (const auto *number = std::get_if<double>(&value.value))
    return fmt::format("{}", *number);
  if (const auto *text = std::get_if<std::string>(&value.value))
    return fmt::format("'{}'", *text);
  if (const auto *type = std::get_if<DtypeValue>(&value.value))
    return std::string(scalarKindName(type->kind));
  if (const auto *function = std::get_if<FunctionValue>(&value.value))
    return function->name;
  if (const auto *known = std::get_if<LanguageValue>(&value.value))
    return known->path;
  if (const auto *descriptor = std::get_if<DescriptorValue>(&value.value))
    return fmt::format("tensordesc<[{}]>", fmt::join(descriptor->block, ","));
  if (std::holds_alternative<PassedValue>(value.value))
    return "...";
  if (const auto *named = std::get_if<NamedTupleValue>(&value.value)) {
    std::vector<std::string> texts;
    for (size_t i = 0; i < named->items.size(); ++i)
      texts.push_back(fmt::format("{}={}", named->fields[i], valueText(named->items[i])));
    return fmt::format("{}({})", named->type, fmt::join(texts, ", "));
  }
  if (const auto *tuple = std::get_if<std::vector<ConstexprValue>>(&value.value)) {
    std::vector<std::string> texts;
    for (const ConstexprValue &element : *tuple)
      texts.push_back(valueText(element));
    return fmt::format("({}{})", fmt::join(texts, ", "), texts.size() == 1 ? "," : "");
  }
  return "None";
}

std::string configText(const KernelConfig &config) {
  std::string text;
  for (const auto &[name, value] : config.values)
    text += fmt::format("{}={} ", name, valueText(value));
  text += fmt::format("num_warps={} num_stages={}", config.numWarps, config.numStages);
  if (config.numCtas != 1)
    text += fmt::format(" num_ctas={}", config.numCtas);
  if (config.maxRegisters)
    text += fmt::format(" maxnreg={}", *config.maxRegisters);
  return text;
}

} // namespace tegula::cli
